import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import type { WallProps } from './wall';
import { hasWall, withWall } from './wall-address';

/** The server has the wall at once. Browsers load its code only if they show one. */
let Wall = import.meta.env.SSR ? (await import('./wall')).Wall : undefined;

export async function loadWall(): Promise<void> {
  Wall ??= (await import('./wall')).Wall;
}

export function LoadedWall(props: WallProps) {
  const [isLoaded, setLoaded] = useState(Wall !== undefined);
  // Going forward to a wall that an earlier load of the page has opened.
  useEffect(() => {
    if (!isLoaded) loadWall().then(() => setLoaded(true));
  }, [isLoaded]);
  return Wall && <Wall {...props} />;
}

/** Shows the page on the full screen, as on a wall. Pages without a wall have no such button. */
export function FullScreenButton() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  if (!hasWall(pathname)) return null;
  const address = { pathname, search: withWall(search) };
  const open = () => {
    // Refused in a frame, and unknown to iPhones. The wall fills the window then.
    document.documentElement.requestFullscreen?.().catch(() => {});
    loadWall().then(
      () => navigate(address, { state: { isWallOpenedHere: true } }),
      // The code is that of an older build.
      () => window.location.assign(address.pathname + address.search),
    );
  };
  return (
    <Button look="quiet" disabled={!isHydrated} onClick={open} className="hidden md:block noscript:hidden">
      Full screen
    </Button>
  );
}
