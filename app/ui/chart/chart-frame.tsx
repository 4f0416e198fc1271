import {
  CategoryScale,
  Chart,
  type ChartOptions,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
} from 'chart.js';
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react';
import { Line } from 'react-chartjs-2';
import type { MetricField } from '../../readings/metric';
import { useHydrated } from '../hydration';
import { applyChartColors, COLOR_SETTINGS } from './chart-colors';
import { ChartLegend } from './chart-legend';
import { type ChartModel, chartData } from './chart-model';
import type { CHART_PLUGINS } from './chart-options';
import { describeChart, describeZones } from './chart-text';
import { type ActivePointStore, ChartTooltip } from './chart-tooltip';

// Every chart has these parts of Chart.js.
Chart.register(LineController, CategoryScale, LinearScale, LineElement, PointElement);

interface ChartFrameProps {
  chart: RefObject<Chart<'line'>>;
  model: ChartModel;
  /** These three are the chart's for its whole life. */
  options: ChartOptions<'line'>;
  plugins: typeof CHART_PLUGINS;
  activePoint: ActivePointStore;
  className: string;
  ofSensor: string;
  /** How much larger the chart is shown than it is drawn. Such a chart is for looking only. */
  scale?: number;
  legend?: ReactNode;
  children: ReactNode;
}

/** A chart with its tooltip, legend and description. A new model updates it in place. */
export function ChartFrame({ chart, model, className, ofSensor, scale, ...props }: ChartFrameProps) {
  const { options, plugins, activePoint, legend, children } = props;
  const { points } = model;
  const [hidden, setHidden] = useState<readonly MetricField[]>([]);
  const data = useMemo(() => chartData(model, hidden), [model, hidden]);
  const toggle = (field: MetricField) =>
    setHidden(hidden.includes(field) ? hidden.filter((other) => other !== field) : [...hidden, field]);
  const isHydrated = useHydrated();
  const description = useMemo(
    () => describeChart(model, isHydrated ? new Date() : null, ofSensor),
    [model, isHydrated, ofSensor],
  );

  useColorScheme(chart);

  return (
    <figure data-gaps={model.gaps.length} data-from={points[0]?.from} data-to={points.at(-1)?.to}>
      {/* The canvas takes the room that the legend leaves. */}
      <div className={`flex flex-col ${className}`}>
        <div className="relative min-h-0 flex-1">
          <Line
            ref={chart}
            data={data}
            datasetIdKey="yAxisID"
            options={options}
            plugins={plugins}
            aria-label={description}
            className="touch-pan-y!"
          />
          {!scale && points.length > 0 && <ChartTooltip {...{ chart, model, activePoint }} />}
        </div>
        <ChartLegend {...{ model, hidden }} onToggle={isHydrated && !scale ? toggle : undefined}>
          {legend}
        </ChartLegend>
      </div>
      {!model.scale.isShared && (
        <figcaption className="mt-2 text-center text-sm text-muted">{describeZones(model)}</figcaption>
      )}
      {children}
    </figure>
  );
}

function useColorScheme(chart: RefObject<Chart<'line'>>): void {
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
