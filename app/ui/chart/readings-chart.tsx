import {
  CategoryScale,
  Chart,
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
import type { Thresholds } from '../../readings/threshold';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { applyChartColors, COLOR_SETTINGS } from './chart-colors';
import { chartData } from './chart-data';
import { describeChart, describeZones } from './chart-description';
import { chartModel } from './chart-model';
import { chartOptions } from './chart-options';
import { CHART_PLUGINS } from './chart-plugins';
import { releaseFullZoom } from './chart-zoom';
import { useZoomPlugin } from './use-zoom-plugin';

Chart.register(CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

interface ReadingsChartProps {
  /** Oldest first, at least one. */
  points: readonly ChartPoint[];
  thresholds: Thresholds;
  /** The height of the chart. */
  className: string;
}

/**
 * The line chart of a series. New points and colours update the existing chart, which keeps its zoom and
 * doesn't flash.
 */
export function ReadingsChart({ points, thresholds, className }: ReadingsChartProps) {
  const chart = useRef<Chart<'line'>>(null);
  const [isZoomed, setZoomed] = useState(false);
  const [options] = useState(() => chartOptions(setZoomed, () => lastIndexOf(chart.current)));
  const model = useMemo(() => chartModel(points, thresholds), [points, thresholds]);
  const data = useMemo(() => chartData(model), [model]);
  const isHydrated = useHydrated();

  useZoomPlugin(chart);
  // When averaging starts there are fewer points, and the zoomed ones may be gone.
  useEffect(() => {
    if (points.length > 0 && chart.current) setZoomed(releaseFullZoom(chart.current));
  }, [points.length]);
  useColorScheme(chart);

  return (
    <figure
      className="relative"
      data-gaps={model.gaps.length}
      data-from={points[0]?.from}
      data-to={points.at(-1)?.to}
    >
      <div className={`relative ${className}`}>
        <Line
          ref={chart}
          data={data}
          options={options}
          plugins={CHART_PLUGINS}
          aria-label={describeChart(model, isHydrated ? new Date() : null)}
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
      {!model.scale.isShared && (
        <figcaption className="mt-2 text-center text-sm text-muted">{describeZones(model)}</figcaption>
      )}
    </figure>
  );
}

function lastIndexOf(chart: Chart<'line'> | null): number {
  return (chart?.data.labels?.length ?? 1) - 1;
}

/** Recolours the chart when the viewer switches between the light and the dark scheme, or to forced colours. */
function useColorScheme(chart: React.RefObject<Chart<'line'>>): void {
  useEffect(() => {
    const recolor = () => {
      if (!chart.current) return;
      applyChartColors(chart.current);
      chart.current.update('none');
    };
    const settings = COLOR_SETTINGS.map((setting) => window.matchMedia(setting));
    for (const setting of settings) setting.addEventListener('change', recolor);
    return () => {
      for (const setting of settings) setting.removeEventListener('change', recolor);
    };
  }, [chart]);
}
