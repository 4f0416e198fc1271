import { CategoryScale, Chart, LinearScale, LineController, LineElement, PointElement } from 'chart.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Line } from 'react-chartjs-2';
import type { ChartPoint } from '../../readings/chart-series';
import type { MetricField } from '../../readings/metric';
import type { Thresholds } from '../../readings/threshold';
import { useHydrated } from '../use-hydrated';
import { watchActivePoint } from './active-point';
import { applyChartColors, COLOR_SETTINGS } from './chart-colors';
import { chartData } from './chart-data';
import { describeChart, describeZones } from './chart-description';
import { ChartLegend } from './chart-legend';
import { chartModel } from './chart-model';
import { chartOptions } from './chart-options';
import { CHART_PLUGINS } from './chart-plugins';
import { ChartTooltip } from './chart-tooltip';
import { chartZoom } from './chart-zoom';
import { useZoomPlugin } from './use-zoom-plugin';
import { ZoomBar } from './zoom-bar';

Chart.register(CategoryScale, LinearScale, LineController, LineElement, PointElement);

interface ReadingsChartProps {
  /** Oldest first, at least one. */
  points: readonly ChartPoint[];
  thresholds: Thresholds;
  /** The height of the chart. */
  className: string;
  /** The sensor for the description: ` of Bedroom`, or nothing. */
  ofSensor: string;
  /** How much larger the chart is shown than it is drawn. Such a chart is for looking only. */
  scale?: number;
}

/**
 * The line chart of a series. New points and colours update the existing chart, which keeps its zoom and
 * doesn't flash.
 */
export function ReadingsChart({ points, thresholds, className, ofSensor, scale }: ReadingsChartProps) {
  const chart = useRef<Chart<'line'>>(null);
  const [isZoomed, setZoomed] = useState(false);
  const [{ zoom, options, plugins, activePoint }] = useState(() => createChart(setZoomed, scale));
  const model = useMemo(() => chartModel(points, thresholds), [points, thresholds]);
  const [hidden, setHidden] = useState<readonly MetricField[]>([]);
  const data = useMemo(() => chartData(model, hidden), [model, hidden]);
  const toggle = (field: MetricField) =>
    setHidden(hidden.includes(field) ? hidden.filter((other) => other !== field) : [...hidden, field]);
  const isHydrated = useHydrated();
  const description = useMemo(
    () => describeChart(model, isHydrated ? new Date() : null, ofSensor),
    [model, isHydrated, ofSensor],
  );

  useZoomPlugin(chart);
  useColorScheme(chart);

  return (
    <figure data-gaps={model.gaps.length} data-from={points[0]?.from} data-to={points.at(-1)?.to}>
      <div className={`flex flex-col ${className}`}>
        <div className="relative min-h-0 flex-1">
          <Line
            ref={chart}
            data={data}
            options={options}
            plugins={plugins}
            aria-label={description}
            className="touch-pan-y!"
          />
          {!scale && <ChartTooltip {...{ chart, points, thresholds, activePoint }} />}
        </div>
        <ChartLegend {...{ model, hidden }} onToggle={isHydrated && !scale ? toggle : undefined} />
      </div>
      {!model.scale.isShared && (
        <figcaption className="mt-2 text-center text-sm text-muted">{describeZones(model)}</figcaption>
      )}
      {!scale && <ZoomBar isZoomed={isZoomed} onReset={() => chart.current && zoom.reset(chart.current)} />}
    </figure>
  );
}

/** Creates what a chart keeps for its whole life. */
function createChart(onZoom: (isZoomed: boolean) => void, scale: number | undefined) {
  const zoom = chartZoom(onZoom);
  const { plugin, store: activePoint } = watchActivePoint();
  const options = {
    ...chartOptions(zoom.options),
    devicePixelRatio: scale && scale * window.devicePixelRatio,
  };
  return { zoom, options, plugins: [...CHART_PLUGINS, zoom.plugin, plugin], activePoint };
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
