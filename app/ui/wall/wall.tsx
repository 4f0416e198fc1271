import { useLocation, useNavigate } from '@remix-run/react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Button } from '../controls';
import { withoutWall } from './wall-address';

export interface WallProps {
  /** Renders the chart with a canvas resolution that matches the scale. Without it, the children fill the wall. */
  chart?: (scale: number) => ReactNode;
  children: ReactNode;
}

export function Wall({ chart, children }: WallProps) {
  useWakeLock();
  const leave = useLeaveWall();
  return (
    // Pointer events pass through to the page, which hides the pointer.
    <div
      className={`pointer-events-none fixed inset-0 grid gap-[1vh] bg-canvas p-[1.2vh] select-none ${chart ? 'grid-rows-[auto_minmax(0,1fr)]' : 'grid-rows-[minmax(0,1fr)]'}`}
    >
      <div className="grid min-h-0 gap-[1vh]">{children}</div>
      {chart && (
        <section
          aria-label="Chart"
          className="min-h-0 overflow-hidden rounded-2xl border border-line bg-surface p-[0.8vh] noscript:hidden"
        >
          <Enlarged>{chart}</Enlarged>
        </section>
      )}
      <LeaveButton onLeave={leave} />
    </div>
  );
}

/** The leave button hides this long after the last tap or key. */
const SHOWN_MS = 8000;

/** A button to leave the wall, which a tap or a key shows for a while. A moving pointer doesn't. */
function LeaveButton({ onLeave }: { onLeave(): void }) {
  const [shows, setShows] = useState(0);
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    const listeners = new AbortController();
    const show = () => setShows((count) => count + 1);
    for (const type of ['pointerdown', 'keydown'])
      document.addEventListener(type, show, { signal: listeners.signal });
    return () => listeners.abort();
  }, []);
  useEffect(() => {
    if (shows === 0 || hasFocus) return;
    const timer = setTimeout(() => setShows(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shows, hasFocus]);
  if (shows === 0) return null;
  return (
    <Button
      onClick={onLeave}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      className="pointer-events-auto fixed top-[1vh] right-[2vh] min-w-11 text-base shadow-lg"
    >
      Leave the wall
    </Button>
  );
}

/** The screen size in pixels at which a chart isn't enlarged. */
const [DESIGN_WIDTH, DESIGN_HEIGHT] = [600, 450];

/** Scales a chart's lines and texts with the screen: 12 px become 2.7 % of the height, or less on a narrow screen. */
function Enlarged({ children }: { children: (scale: number) => ReactNode }) {
  const [scale, setScale] = useState<number | null>(null);
  useEffect(() => {
    const measure = () =>
      setScale(Math.min(Math.max(1, innerWidth / DESIGN_WIDTH), innerHeight / DESIGN_HEIGHT));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  if (scale === null) return null;
  const size = `${100 / scale}%`;
  return (
    // The key creates a new chart for each scale.
    <div
      key={scale}
      className="origin-top-left text-[14px] [&_[data-entry]]:min-h-[14px] [&_figcaption]:mt-1 [&_figcaption]:text-[10px] [&_figure]:flex [&_figure]:h-full [&_figure]:flex-col"
      style={{ width: size, height: size, transform: `scale(${scale})` }}
    >
      {children(scale)}
    </div>
  );
}

/** Leaves the wall layout when the viewer leaves full screen or presses Escape. Returns a function that leaves it too. */
function useLeaveWall(): () => void {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const leaveWall = useCallback(() => {
    if (state?.isWallOpenedHere) navigate(-1);
    else navigate({ search: withoutWall(search) }, { replace: true });
  }, [navigate, search, state]);

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const leave = () => {
      // Escape can trigger both listeners.
      listeners.abort();
      leaveWall();
    };
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && leave(), { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && leave(), { signal });
    return () => listeners.abort();
  }, [leaveWall]);

  useEffect(
    () => () => {
      // Check the address, because in development React also unmounts a page that stays visible.
      const hasLeft = withoutWall(location.search) === location.search;
      if (hasLeft && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    },
    [],
  );
  return leaveWall;
}

/** Keeps the screen on, if the browser allows it (with HTTPS or on `localhost`). */
function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // A hidden page loses its lock, so request it again.
    const request = () => {
      if (document.visibilityState !== 'visible') return;
      lock = navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      document.removeEventListener('visibilitychange', request);
      lock?.then((held) => held?.release());
    };
  }, []);
}
