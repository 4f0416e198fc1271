import type { Chart, Plugin } from 'chart.js';
import { applyChartColors } from './chart-options';

/** Colours are there before the first drawing: one without them would have to be drawn again. */
const pageColors: Plugin<'line'> = { id: 'page-colors', beforeInit: applyChartColors };

const waiting = new Set<Chart>();

/**
 * Draws once for all that happens at a time. By itself Chart.js draws for every update, and once more where the
 * tooltip is open: twice for a new reading, up to four times for a turn of the wheel.
 */
const drawOnce: Plugin<'line'> = {
  id: 'draw-once',
  beforeRender(chart) {
    if (!waiting.has(chart)) {
      waiting.add(chart);
      queueMicrotask(() => {
        if (waiting.delete(chart)) chart.draw();
      });
    }
    return false;
  },
  afterDestroy(chart) {
    waiting.delete(chart);
  },
};

/** What is put into every chart; the same object always, as a chart's plugins can't be changed. */
export const CHART_PLUGINS = [pageColors, drawOnce];
