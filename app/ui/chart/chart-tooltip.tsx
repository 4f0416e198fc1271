import { type Chart, type ChartMeta, type Plugin, PointElement } from 'chart.js';
import { type RefObject, useEffect, useId, useState, useSyncExternalStore } from 'react';
import { LineSample } from './chart-legend';
import type { ChartModel } from './chart-model';
import { type PointText, pointText, spokenText } from './chart-text';

const noActivePoint = () => null;

const DISTANCE = 12;

/** The tooltip, and an invisible slider over the chart, which makes the points accessible to keyboards and screen readers. */
export function ChartTooltip({
  chart,
  model,
  activePoint,
}: {
  chart: RefObject<Chart<'line'>>;
  model: ChartModel;
  activePoint: ActivePointStore;
}) {
  const active = useSyncExternalStore(activePoint.subscribe, activePoint.getSnapshot, noActivePoint);
  const { points, positions } = model;
  const id = useId();
  /** The point last reached by keyboard, with its text. The text is kept, so that new readings aren't announced. */
  const [cursor, setCursor] = useState<{ index: number; text: string } | null>(null);
  const point = active ? points[active.index] : undefined;
  useClosing(chart, point !== undefined);

  const moveTo = (index: number) => {
    const { x } = chart.current?.scales ?? {};
    if (!chart.current || !x) return;
    const inView = positions.flatMap((at, i) => (at >= x.min && at <= x.max ? i : []));
    const visible = Math.max(inView[0] ?? 0, Math.min(index, inView.at(-1) ?? 0));
    activate(chart.current, visible);
    const target = points[visible];
    if (target) setCursor({ index: visible, text: spokenText(target, model, new Date()) });
  };
  const index = active?.index ?? cursor?.index ?? points.length - 1;

  return (
    <>
      <input
        type="range"
        aria-label="Points of the chart"
        aria-describedby={`${id}keys`}
        aria-valuetext={cursor?.text}
        min={0}
        max={points.length - 1}
        value={index}
        onChange={(event) => moveTo(event.target.valueAsNumber)}
        onFocus={() => moveTo(index)}
        onBlur={() => chart.current && activate(chart.current, null)}
        className="pointer-events-none absolute inset-0 m-0 size-full appearance-none rounded-sm bg-transparent [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:opacity-0"
      />
      <span id={`${id}keys`} hidden>
        Arrow keys move from point to point, Home and End to the first and the last. Plus and minus zoom.
        Escape closes the values.
      </span>
      {active && point && <Tooltip active={active} text={pointText(point, model, new Date())} />}
    </>
  );
}

function Tooltip({ active, text: { time, values, notes } }: { active: ActivePoint; text: PointText }) {
  return (
    <div
      role="tooltip"
      className="pointer-events-none absolute left-0 w-max max-w-[min(100%,15rem)] rounded-md border border-line bg-surface px-3 py-2 text-sm"
      style={{ ...active.edge, transform: `translateX(${besidePoint(active)})` }}
    >
      <p className="font-semibold">
        <bdi>{time}</bdi>
      </p>
      {values.map(({ line, value, range }) => (
        <p key={value} className="flex flex-wrap items-center gap-x-2">
          <LineSample line={line} />
          <bdi>{value}</bdi>
          <span className="text-muted">{range}</span>
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} className="text-muted">
          <bdi>{note}</bdi>
        </p>
      ))}
    </div>
  );
}

/** Returns how far right a tooltip is, as a CSS length: beside the point, but within the chart. 100% is the tooltip's width. */
function besidePoint({ x, width }: ActivePoint): string {
  const side = x < width / 2 ? `${x + DISTANCE}px` : `calc(${x - DISTANCE}px - 100%)`;
  return `clamp(0px, ${side}, calc(${width}px - 100%))`;
}

function useClosing(chart: RefObject<Chart<'line'>>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const close = () => chart.current && activate(chart.current, null);
    const listening = new AbortController();
    addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal: listening.signal });
    addEventListener('pointerdown', ({ target }) => target !== chart.current?.canvas && close(), {
      signal: listening.signal,
    });
    return () => listening.abort();
  }, [chart, isOpen]);
}

/** The hovered or focused point, and the place of its tooltip in pixels from the chart's top left corner. */
interface ActivePoint {
  index: number;
  x: number;
  width: number;
  /** The plot edge with more room above or below the point's markers, as a CSS style. */
  edge: { top: number } | { bottom: number };
}

/** The active point of one chart, for `useSyncExternalStore`, so that only the tooltip renders when the point changes. */
export interface ActivePointStore {
  subscribe(onChange: () => void): () => void;
  /** Returns the active point or null. Returns the same object until the point changes or moves. */
  getSnapshot(): ActivePoint | null;
}

type PositionOf = (chart: Chart, index: number) => number;

/** Watches the active point, which the pointer, `activate` and chart updates can change. */
export function watchActivePoint(positionOf: PositionOf = (_, index) => index): {
  plugin: Plugin<'line'>;
  store: ActivePointStore;
} {
  let active: ActivePoint | null = null;
  const listeners = new Set<() => void>();
  const plugin: Plugin<'line'> = {
    id: 'active-point',
    afterDraw(chart) {
      const found = findActive(chart, positionOf);
      if (JSON.stringify(found) === JSON.stringify(active)) return;
      active = found;
      for (const listener of listeners) listener();
    },
  };
  const store: ActivePointStore = {
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    getSnapshot: () => active,
  };
  return { plugin, store };
}

/** Makes a point active, as if it were hovered; null for no point. */
export function activate(chart: Chart<'line'>, index: number | null): void {
  const lines = index === null ? [] : chart.getSortedVisibleDatasetMetas();
  chart.setActiveElements(
    lines.flatMap((line) =>
      index !== null && hasPoint(line, index) ? { datasetIndex: line.index, index } : [],
    ),
  );
  chart.draw();
}

function hasPoint({ data }: ChartMeta<'line'>, index: number): boolean {
  const point = data[index];
  // Chart.js marks a point without a value as skipped.
  return !(point instanceof PointElement && point.skip);
}

function findActive(chart: Chart<'line'>, positionOf: PositionOf): ActivePoint | null {
  const markers = chart.getActiveElements();
  const x = chart.scales.x;
  const index = markers[0]?.index;
  if (!x || index === undefined) return null;
  const position = positionOf(chart, index);
  if (position < x.min || position > x.max) return null;
  const heights = markers.map(({ element }) => element.y);
  const { top, bottom } = chart.chartArea;
  const isLow = Math.min(...heights) - top >= bottom - Math.max(...heights);
  return {
    index,
    x: Math.round(x.getPixelForValue(position)),
    width: chart.width,
    edge: isLow ? { top } : { bottom: chart.height - bottom },
  };
}
