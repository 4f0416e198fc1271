import { useLocation, useNavigate } from '@remix-run/react';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { loadWall } from './loaded-wall';
import { hasWall, withWall } from './wall-address';

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
