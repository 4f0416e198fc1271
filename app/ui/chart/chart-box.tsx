import type { ReactNode } from 'react';

interface ChartBoxProps {
  /** The height of the chart. */
  className: string;
  legend: ReactNode;
  /** The canvas, and what lies over it. */
  children: ReactNode;
}

/** The boxes of a chart: the canvas takes the room that the legend below it leaves. */
export function ChartBox({ className, legend, children }: ChartBoxProps) {
  return (
    <div className={`flex flex-col ${className}`}>
      <div className="relative min-h-0 flex-1">{children}</div>
      {legend}
    </div>
  );
}
