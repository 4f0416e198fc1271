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
import type { MetricChoice } from './drawn-metrics';

// Every chart has these parts of Chart.js.
Chart.register(LineController, CategoryScale, LinearScale, LineElement, PointElement);

interface ChartFrameProps {
  chart: RefObject<Chart<'line'>>;
  model: ChartModel;
  /** These three are the chart's for as long as it draws the same metrics. */
  options: ChartOptions<'line'>;
  plugins: typeof CHART_PLUGINS;
  activePoint: ActivePointStore;
  className: string;
  ofSensor: string;
  /** How much larger the chart is shown than it is drawn. Such a chart is for looking only. */
  scale?: number;
  choice?: MetricChoice;
  legend?: ReactNode;
  children: ReactNode;
}

/** A chart with its tooltip, legend and description. A new model updates it in place. */
export function ChartFrame({ chart, model, className, ofSensor, scale, ...props }: ChartFrameProps) {
  const { options, plugins, activePoint, legend: ownLegend, children } = props;
  const choice = scale ? undefined : props.choice;
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

  const levelled = model.measured.filter(({ field }) => model.thresholds[field]);
  // A wall has little room, and the zones of one metric need no words.
  const hasCaption = !model.scale.isShared && (!scale || levelled.length > 1);
  const legend = (
    <ChartLegend {...{ model, hidden, choice }} onToggle={isHydrated && !scale ? toggle : undefined}>
      {ownLegend}
    </ChartLegend>
  );

  return (
    <figure data-gaps={model.gaps.length} data-from={points[0]?.from} data-to={points.at(-1)?.to}>
      {/* The canvas takes the room that the legend leaves. */}
      <div className={`flex flex-col ${className}`}>
        <div className="relative min-h-0 flex-1">
          <Line
            // Chart.js can't change the plugins of a chart, and new options would keep nothing of it.
            key={model.drawn.map(({ field }) => field).join()}
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
        {!choice && legend}
      </div>
      {/* Several rows of chips would leave the canvas no room on a phone. */}
      {choice && legend}
      {hasCaption && (
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
