import type { Chart, ChartOptions, Plugin, Scale } from 'chart.js';
import { shownValue } from '../../readings/format/format-value';
import type { Metric } from '../../readings/metric';
import { type Axis, formatTick } from './axis-scale';
import { applyChartColors } from './chart-colors';
import { modelOf } from './chart-model';
import { drawAirings, nameAirings } from './draw/draw-airings';
import { drawGaps, drawMarks, drawThresholds, drawZones, nameZones, noteZones } from './draw/draw-ground';
import { drawBands, drawMarkers } from './draw/draw-lines';
import { drawNotes, nameNotes } from './draw/draw-notes';

/** The options of an axis with labels of five to eight characters. Measuring 40 finds a long one, so that no labels overlap. */
export const LABEL_AXIS = {
  grid: { display: false },
  ticks: { maxRotation: 0, autoSkipPadding: 16, sampleSize: 40 },
};

/** Returns the options of a chart with a time axis. Create them once per chart, because new options would reset its zoom. */
export function chartOptions(
  x: NonNullable<ChartOptions<'line'>['scales']>[string],
  drawn: readonly Metric[],
  plugins?: ChartOptions<'line'>['plugins'],
): ChartOptions<'line'> {
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    // No touch events: a tap also sends mouse events, and a swipe that scrolls the page shouldn't show values.
    events: ['mousemove', 'mouseout', 'click'],
    scales: {
      x,
      ...Object.fromEntries(
        drawn.map((metric, i) => [
          metric.field,
          yAxis(metric, i === 0 ? 'right' : 'left', i === drawn.length - 1),
        ]),
      ),
    },
    plugins,
  };
}

function yAxis(metric: Metric, position: 'left' | 'right', hasGrid: boolean) {
  return {
    position,
    // The ends and ticks come from the model; by default, Chart.js would move the ends to its own ticks.
    bounds: 'data' as const,
    afterDataLimits(scale: Scale) {
      const { min, max } = axisOf(scale, metric);
      Object.assign(scale, { min, max });
    },
    afterBuildTicks(scale: Scale) {
      scale.ticks = axisOf(scale, metric).ticks.map((value) => ({ value }));
    },
    // Tick marks would take room that a phone lacks.
    grid: { display: hasGrid, drawTicks: false },
    ticks: {
      padding: 5,
      // The ticks of an unmeasured metric have no numbers but still define the grid.
      callback(this: Scale, tick: string | number) {
        return modelOf(this.chart).measured.includes(metric)
          ? formatTick(shownValue(metric, Number(tick)))
          : '';
      },
    },
  };
}

function axisOf({ chart }: Scale, metric: Metric): Axis {
  return modelOf(chart).scale.axisOf(metric);
}

/** Sets the colours before the first drawing, so that the chart isn't drawn twice. */
const pageColors: Plugin<'line'> = { id: 'page-colors', beforeInit: applyChartColors };

/**
 * Draws three layers: the zones below the grid; thresholds, airings, notes, gaps and bands between the grid and the lines;
 * markers and names above the lines.
 */
const drawings: Plugin<'line'> = {
  id: 'drawings',
  afterLayout: noteZones,
  beforeDraw: drawZones,
  beforeDatasetsDraw(chart) {
    drawThresholds(chart);
    drawAirings(chart);
    drawNotes(chart);
    drawGaps(chart, drawMarks);
    drawBands(chart);
  },
  afterDatasetsDraw(chart) {
    nameZones(chart);
    drawMarkers(chart);
    nameAirings(chart);
    nameNotes(chart);
  },
};

const scheduled = new Set<Chart>();

/** Draws once for all updates of a task. Chart.js would draw up to four times per wheel event. */
const drawOnce: Plugin<'line'> = {
  id: 'draw-once',
  beforeRender(chart) {
    if (!scheduled.has(chart)) {
      scheduled.add(chart);
      queueMicrotask(() => {
        if (scheduled.delete(chart)) chart.draw();
      });
    }
    return false;
  },
  afterDestroy(chart) {
    scheduled.delete(chart);
  },
};

/** The plugins of every chart. A constant array, because Chart.js can't replace a chart's plugins. */
export const CHART_PLUGINS = [pageColors, drawings, drawOnce];
