import { chartSeries } from '../../../readings/chart/chart-series';
import type { Range } from '../../../readings/chart/range';
import type { Thresholds } from '../../../readings/level/threshold';
import type { Reading } from '../../../readings/reading';
import { chartModel } from '../chart-model';
import { chartOptions, LABEL_AXIS } from '../chart-options';
import { CHART_PLUGINS } from '../chart-plugins';
import { drawFirstChart } from './first-chart';

/** What the server's page gives the first chart of a live page. */
interface FirstReadings {
  /** Oldest first, at least one. */
  history: readonly Reading[];
  /** How many readings exist. */
  count: number;
  range: Range;
  thresholds: Thresholds;
}

/** Returns the attributes of a chart's canvas, from which `drawFirstReadings` draws it. None in the browser. */
export function firstReadings({ history, count, range, thresholds }: FirstReadings) {
  if (!import.meta.env.SSR) return {};
  return { 'data-first-readings': JSON.stringify({ history, count, range, thresholds }) };
}

/** Draws the chart of the server's page, if it has one of readings. */
function drawFirstReadings(): void {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-first-readings]');
  if (!canvas) return;
  const { history, count, range, thresholds }: FirstReadings = JSON.parse(canvas.dataset.firstReadings ?? '');
  const model = chartModel(chartSeries(history, range, count), thresholds);
  drawFirstChart(canvas, model, chartOptions(LABEL_AXIS), CHART_PLUGINS);
}

/** The script that this module and what it imports are (`scripts/build/shared-scripts.js`). It runs before React has come. */
export const FIRST_CHART = 'first-chart';

if (!import.meta.env.SSR) drawFirstReadings();
