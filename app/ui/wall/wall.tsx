import { useLocation, useNavigate } from '@remix-run/react';
import { type ReactNode, useEffect, useState } from 'react';
import { withoutWall } from './wall-address';

export interface WallProps {
  /** Renders the chart with a canvas resolution that matches the scale. */
  chart: (scale: number) => ReactNode;
  children: ReactNode;
}

export function Wall({ chart, children }: WallProps) {
  useWakeLock();
  useLeaveWall();
  return (
    // Pointer events pass through to the page, which hides the pointer.
    <div className="pointer-events-none fixed inset-0 grid grid-rows-[auto_minmax(0,1fr)] gap-[1.6vh] bg-canvas p-[2vh] select-none">
      <div className="grid gap-[1.6vh]">{children}</div>
      <section
        aria-label="Chart"
        className="min-h-0 overflow-hidden rounded-2xl border border-line bg-surface p-[1.6vh] noscript:hidden"
      >
        <Enlarged>{chart}</Enlarged>
      </section>
    </div>
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
      className="origin-top-left text-[14px] [container-type:size] [&_figcaption]:text-[10px]"
      style={{ width: size, height: size, scale: String(scale) }}
    >
      {children(scale)}
    </div>
  );
}

/** Leaves the wall layout when the viewer leaves full screen or presses Escape. */
function useLeaveWall(): void {
  const { search, state } = useLocation();
  const navigate = useNavigate();

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const leave = () => {
      // Escape can trigger both listeners.
      listeners.abort();
      if (state?.isWallOpenedHere) navigate(-1);
      else navigate({ search: withoutWall(search) }, { replace: true });
    };
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && leave(), { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && leave(), { signal });
    return () => listeners.abort();
  }, [navigate, search, state]);

  useEffect(
    () => () => {
      // Check the address, because in development React also unmounts a page that stays visible.
      const hasLeft = withoutWall(location.search) === location.search;
      if (hasLeft && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    },
    [],
  );
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
