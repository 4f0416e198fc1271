import type { ReactNode } from 'react';
import { Enlarged } from './enlarged';
import { useLeaveWall } from './use-leave-wall';
import { useWakeLock } from './use-wake-lock';

export interface WallProps {
  /** Renders the chart, with a canvas that is as sharp as its scale needs. */
  chart: (scale: number) => ReactNode;
  /** What stands above the chart. */
  children: ReactNode;
}

/** A page on a wall: fills the screen and keeps it on. */
export function Wall({ chart, children }: WallProps) {
  useWakeLock();
  useLeaveWall();
  return (
    // Pointers pass through to the page, which hides them.
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
