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

// The parts of Chart.js that every chart needs.
Chart.register(LineController, CategoryScale, LinearScale, LineElement, PointElement);

interface ChartFrameProps {
  chart: RefObject<Chart<'line'>>;
  model: ChartModel;
  /** `options`, `plugins` and `activePoint` stay the same objects while the chart draws the same metrics. */
  options: ChartOptions<'line'>;
  plugins: typeof CHART_PLUGINS;
  activePoint: ActivePointStore;
  className: string;
  ofSensor: string;
  /** The factor by which CSS enlarges the chart. Such a chart isn't interactive. */
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
  usePaper(chart);

  const levelled = model.measured.filter(({ field }) => model.thresholds[field]);
  // On a wall there is little room, and the zones of a single metric need no caption.
  const hasCaption = !model.scale.isShared && (!scale || levelled.length > 1);
  // The page names the rooms of several lines.
  const legend = model.rooms ? (
    ownLegend
  ) : (
    <ChartLegend {...{ model, hidden, choice }} onToggle={isHydrated && !scale ? toggle : undefined}>
      {ownLegend}
    </ChartLegend>
  );

  return (
    <figure data-gaps={model.gaps.length} data-from={points[0]?.from} data-to={points.at(-1)?.to}>
      {/* The canvas takes the space left by the legend. */}
      <div className={`flex flex-col print:h-auto! ${className}`}>
        <div className="relative min-h-0 flex-1">
          <Line
            // The key creates a new chart for other metrics or units, because Chart.js can't replace the plugins of an existing one.
            key={model.drawn.map(({ field, unit }) => field + unit).join()}
            ref={chart}
            data={data}
            datasetIdKey="label"
            options={options}
            plugins={plugins}
            aria-label={description}
            className="[touch-action:pan-y]!"
          />
          {!scale && points.length > 0 && <ChartTooltip {...{ chart, model, activePoint }} />}
        </div>
        {!choice && legend}
      </div>
      {/* Outside the fixed height, because several rows of chips would leave no room for the canvas on a phone. */}
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
    // The viewer's own choice (viewer-choices.tsx).
    const choice = new MutationObserver(recolor);
    choice.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
    return () => {
      choice.disconnect();
      for (const setting of settings) setting.removeEventListener('change', recolor);
    };
  }, [chart]);
}

/** The size in pixels of a printed chart. It fits a card on A4, and narrower paper scales it down. */
const PAPER = { width: 640, height: 300 };

/** Draws the chart in light colours and in the size of the paper while the page is printed. */
function usePaper(chart: RefObject<Chart<'line'>>): void {
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const redraw = (isPaper: boolean) => {
      document.documentElement.toggleAttribute('data-print', isPaper);
      if (!chart.current) return;
      applyChartColors(chart.current);
      if (isPaper) chart.current.resize(PAPER.width, PAPER.height);
      else chart.current.resize();
      chart.current.update('none');
    };
    window.addEventListener('beforeprint', () => redraw(true), { signal });
    window.addEventListener('afterprint', () => redraw(false), { signal });
    return () => listeners.abort();
  }, [chart]);
}
