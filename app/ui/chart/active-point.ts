import type { Chart, ChartMeta, Plugin, PointElement } from 'chart.js';

/** The point that is pointed at, and where its tooltip goes. Pixels from the chart's top left corner. */
export interface ActivePoint {
  index: number;
  x: number;
  /** The width of the chart. */
  width: number;
  /** The edge of the plot that has more room beside the point's markers, as the style of an element. */
  edge: { top: number } | { bottom: number };
}

/** The active point of one chart, in the shape of `useSyncExternalStore`: only the tooltip renders when it moves. */
export interface ActivePointStore {
  subscribe(onChange: () => void): () => void;
  /** Returns the active point, null for none: the same object until it has changed or moved. */
  getSnapshot(): ActivePoint | null;
}

/** Returns where a point lies on the time axis of a chart, in its unit. */
type PositionOf = (chart: Chart, index: number) => number;

/**
 * Watches the active point of a chart with this plugin. It changes or moves by the pointer, by `activate`, or because
 * the chart was updated or resized.
 */
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

/** Makes a point of the chart the active one, as if it were pointed at; null for none. */
export function activate(chart: Chart<'line'>, index: number | null): void {
  const lines = index === null ? [] : chart.getSortedVisibleDatasetMetas().filter(hasPoint(index));
  chart.setActiveElements(lines.map((line) => ({ datasetIndex: line.index, index: index as number })));
  chart.draw();
}

/** Returns whether a line has a point at an index: not where its metric isn't measured. */
function hasPoint(index: number) {
  return ({ data }: ChartMeta<'line'>) => (data[index] as PointElement | undefined)?.skip !== true;
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
