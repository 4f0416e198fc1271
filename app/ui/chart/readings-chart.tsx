import {
  CategoryScale,
  Chart,
  type ChartData,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Line } from 'react-chartjs-2';
import type { ChartPoint } from '../../readings/chart-series';
import { METRICS, type Metric } from '../../readings/metric';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { describeChart } from './chart-description';
import { applyChartColors, chartOptions, METRIC_LINES } from './chart-options';
import { CHART_PLUGINS } from './chart-plugins';
import { releaseFullZoom } from './chart-zoom';
import { useZoomPlugin } from './use-zoom-plugin';

Chart.register(CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

const NEWEST_RADIUS = 4;

/**
 * The line chart of a series. New points and colours update the existing chart, which keeps its zoom and
 * doesn't flash.
 */
export function ReadingsChart({ points, className }: { points: readonly ChartPoint[]; className: string }) {
  const chart = useRef<Chart<'line'>>(null);
  const [isZoomed, setZoomed] = useState(false);
  const [options] = useState(() => chartOptions(setZoomed, () => lastIndexOf(chart.current)));
  const data = useMemo(() => chartData(points), [points]);
  const isHydrated = useHydrated();

  useZoomPlugin(chart);
  // When averaging starts there are fewer points, and the zoomed ones may be gone.
  useEffect(() => {
    if (points.length > 0 && chart.current) setZoomed(releaseFullZoom(chart.current));
  }, [points.length]);
  useColorScheme(chart);

  return (
    <figure className="relative">
      <div className={`relative ${className}`}>
        <Line
          ref={chart}
          data={data}
          options={options}
          plugins={CHART_PLUGINS}
          aria-label={describeChart(points, isHydrated)}
          className="touch-pan-y!"
        />
      </div>
      {isZoomed && (
        <Button
          className="absolute top-0 left-1/2 -translate-x-1/2"
          onClick={() => {
            chart.current?.resetZoom('none');
            setZoomed(false);
          }}
        >
          Reset zoom
        </Button>
      )}
    </figure>
  );
}

function lastIndexOf(chart: Chart<'line'> | null): number {
  return (chart?.data.labels?.length ?? 1) - 1;
}

function chartData(points: readonly ChartPoint[]): ChartData<'line'> {
  return {
    labels: points.map(({ label }) => label),
    datasets: METRICS.map((metric) => dataset(metric, points)),
  };
}

function dataset(metric: Metric, points: readonly ChartPoint[]) {
  const isAlone = (i: number) => points[i]?.gapBefore !== null && points[i + 1]?.gapBefore !== null;
  return {
    label: `${metric.name} (${metric.unit})`,
    yAxisID: metric.field,
    data: points.map((point) => drawable(point[metric.field].average)),
    points,
    metric,
    borderWidth: 2.5,
    borderDash: METRIC_LINES[metric.field].dash,
    pointRadius: points.map((_, i) => (i === points.length - 1 ? NEWEST_RADIUS : isAlone(i) ? 1.25 : 0)),
    segment: points.some(({ gapBefore }) => gapBefore)
      ? { borderColor: ({ p1DataIndex }: { p1DataIndex: number }) => lineColorTo(points[p1DataIndex]) }
      : undefined,
  };
}

/** Hides the line across a gap; undefined means the line's own colour. */
function lineColorTo(point: ChartPoint | undefined) {
  return point?.gapBefore ? 'transparent' : undefined;
}

/**
 * Returns the nearest value that Chart.js can draw. A store takes any finite number, but on an axis whose span
 * is too large or too small for floating-point steps Chart.js computes ticks forever.
 */
function drawable(value: number): number {
  if (Math.abs(value) < 1e-9) return 0;
  return Math.min(Math.max(value, -1e300), 1e300);
}

/** Recolours the chart when the viewer switches between the light and the dark scheme. */
function useColorScheme(chart: React.RefObject<Chart<'line'>>): void {
  useEffect(() => {
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const recolor = () => {
      if (!chart.current) return;
      applyChartColors(chart.current);
      chart.current.update('none');
    };
    scheme.addEventListener('change', recolor);
    return () => scheme.removeEventListener('change', recolor);
  }, [chart]);
}
