import type { Chart } from 'chart.js';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SeriesPoint } from '../../readings/chart/chart-series';
import type { Gap, PlacedGap } from '../../readings/chart/gap';
import type { Metric, Thresholds } from '../../readings/metric';
import type { Note } from '../../readings/note';
import type { AiringAnswer } from '../../readings/room/ventilation-answer';
import { useHydrated } from '../hydration';
import { ChartFrame } from './chart-frame';
import { chartModel } from './chart-model';
import { CHART_PLUGINS, chartOptions, LABEL_AXIS } from './chart-options';
import { gapLength, gapsLength, gapTimes } from './chart-text';
import { watchActivePoint } from './chart-tooltip';
import type { MetricChoice } from './drawn-metrics';
import { readingsZoom } from './readings-zoom';
import { useZoom } from './use-zoom';
import { ZoomBar } from './zoom-bar';
import { listenForZoomKeys } from './zoom-keys';

interface ReadingsChartProps {
  /** Oldest first, at least one. */
  points: readonly SeriesPoint[];
  thresholds: Thresholds;
  /** The metrics to draw. Another list creates a new chart, without zoom. */
  drawn: readonly Metric[];
  choice?: MetricChoice;
  airings?: readonly AiringAnswer[];
  notes?: readonly Note[];
  className: string;
  ofSensor: string;
  scale?: number;
  legend?: ReactNode;
}

/** The line chart of a series with equally spaced points. Keeps its zoom when points are added. */
export function ReadingsChart({ points, thresholds, drawn, airings, notes, ...props }: ReadingsChartProps) {
  const { scale } = props;
  const chart = useRef<Chart<'line'>>(null);
  const [zoomed, setZoomed] = useState<readonly Metric[] | null>(null);
  const { zoom, ...chartParts } = useMemo(
    () => createChart(drawn, (isZoomed) => setZoomed(isZoomed ? drawn : null), scale),
    [drawn, scale],
  );
  const isWall = scale !== undefined;
  const model = useMemo(() => {
    const all = chartModel(points, thresholds, drawn, airings, notes);
    return isWall ? { ...all, named: all.measured } : all;
  }, [points, thresholds, drawn, airings, notes, isWall]);

  const reset = useCallback(() => chart.current && zoom.reset(chart.current), [zoom]);
  useZoom(chart, isWall ? null : zoom);
  useEffect(() => {
    const drawnChart = chart.current;
    if (!drawnChart || isWall || !zoom) return;
    const listening = new AbortController();
    listenForZoomKeys(drawnChart, (index) => index, listening.signal);
    return () => listening.abort();
  }, [zoom, isWall]);

  return (
    <ChartFrame {...props} {...chartParts} {...{ chart, model }}>
      {!scale && (
        <>
          <ZoomBar isZoomed={zoomed === drawn} onReset={reset} />
          <GapList gaps={model.gaps} />
        </>
      )}
    </ChartFrame>
  );
}

function createChart(
  drawn: readonly Metric[],
  onZoom: (isZoomed: boolean) => void,
  scale: number | undefined,
) {
  const zoom = readingsZoom(onZoom);
  const { plugin, store: activePoint } = watchActivePoint();
  const options = {
    ...chartOptions(LABEL_AXIS, drawn, zoom.options),
    devicePixelRatio: scale && scale * window.devicePixelRatio,
  };
  return { zoom, options, plugins: [...CHART_PLUGINS, zoom.plugin, plugin], activePoint };
}

const MOST_SHOWN = 3;

/** Lists the gaps, because a chart with equally spaced points doesn't show their lengths. */
export function GapList({ gaps: placed }: { gaps: readonly PlacedGap[] }) {
  // The server doesn't know the viewer's time zone, so wait for hydration.
  if (!useHydrated() || placed.length === 0) return null;
  const gaps = placed.map(({ gap }) => gap);
  const now = new Date();
  const describe = (gap: Gap) => `${gapTimes(gap, now)} (${gapLength(gap)})`;
  const look = 'mt-2 text-center text-sm text-muted sm:mt-4';
  if (gaps.length <= MOST_SHOWN)
    return <p className={look}>Without readings: {gaps.map(describe).join(', ')}</p>;
  return (
    <details className={look}>
      <summary className="cursor-pointer py-2">
        Without readings {gaps.length} times, {gapsLength(gaps)} in all
      </summary>
      <ul className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
        {gaps.map((gap) => (
          <li key={gap.from}>{describe(gap)}</li>
        ))}
      </ul>
    </details>
  );
}
