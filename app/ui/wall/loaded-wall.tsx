import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { atBase } from '../../base-path';
import { servedBuild } from '../../live/browser/reach-server';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import { useFramed } from '../not-framed';
import type { WallProps } from './wall';
import { hasWall, isWallAddress, withWall } from './wall-address';

/** The wall's code. The server imports it at start; browsers load it only to show a wall. */
let Wall = import.meta.env.SSR ? (await import('./wall')).Wall : undefined;

export async function loadWall(): Promise<void> {
  Wall ??= (await import('./wall')).Wall;
}

const BUTTON_ID = 'full-screen';

/** True after the viewer has left a wall, until the page below has the focus. */
let isFocusLost = false;

export function LoadedWall(props: WallProps) {
  const [isLoaded, setLoaded] = useState(Wall !== undefined);
  // Not loaded yet if the viewer goes forward to a wall that was opened before a reload.
  useEffect(() => {
    if (!isLoaded) loadWall().then(() => setLoaded(true));
  }, [isLoaded]);
  useEffect(
    () => () => {
      isFocusLost = !isWallAddress(location);
    },
    [],
  );
  return Wall && <Wall {...props} />;
}

/**
 * A button that shows the wall layout in full screen. Renders nothing on pages without a wall, and in frames that don't
 * allow full screen.
 */
export function FullScreenButton() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const isFramed = useFramed();
  // Not earlier, because a disabled button takes no focus.
  useEffect(() => {
    if (isHydrated) restoreFocus();
  }, [isHydrated]);
  if (!hasWall(pathname) || (isFramed && !document.fullscreenEnabled)) return null;
  const address = { pathname, search: withWall(search) };
  const open = () => {
    // iPhones lack this. The wall then fills the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    loadWall().then(
      () => navigate(address, { state: { isWallOpenedHere: true } }),
      // The page belongs to an older build, whose code is gone; or the server is away, and this page stays.
      () =>
        servedBuild().then(
          () => window.location.assign(atBase(address.pathname + address.search)),
          exitFullScreen,
        ),
    );
  };
  return (
    <Button
      id={BUTTON_ID}
      look="quiet"
      disabled={!isHydrated}
      onClick={open}
      className="hidden md:block noscript:hidden"
    >
      Full screen
    </Button>
  );
}

/** After a wall, moves the focus to the button that opens one, or to the page's content where the button is hidden. */
function restoreFocus(): void {
  if (!isFocusLost) return;
  isFocusLost = false;
  if (document.activeElement !== document.body) return;
  const button = document.getElementById(BUTTON_ID);
  const isShown = button && button.getClientRects().length > 0;
  (isShown ? button : document.getElementById('content'))?.focus({ preventScroll: true });
}

function exitFullScreen(): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
}
