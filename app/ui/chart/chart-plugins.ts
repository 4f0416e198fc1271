import type { Chart, Plugin } from 'chart.js';
import { applyChartColors } from './chart-colors';
import { drawGaps, drawLimits, drawMarks, drawZones, nameZones, noteZones } from './draw/draw-ground';
import { drawBands, drawMarkers } from './draw/draw-lines';

/** Sets the colours before the first drawing, so that the chart isn't drawn twice. */
const pageColors: Plugin<'line'> = { id: 'page-colors', beforeInit: applyChartColors };

/** Draws what the lines stand on, the zones below the grid and the rest above it, and the markers on the lines. */
const drawings: Plugin<'line'> = {
  id: 'drawings',
  afterLayout: noteZones,
  beforeDraw: drawZones,
  beforeDatasetsDraw(chart) {
    drawLimits(chart);
    drawGaps(chart, drawMarks);
    drawBands(chart);
  },
  afterDatasetsDraw(chart) {
    nameZones(chart);
    drawMarkers(chart);
  },
};

const scheduled = new Set<Chart>();

/**
 * Draws once for all updates of the same task. Chart.js draws for each of them, and again for an open tooltip:
 * twice for a new reading, up to four times for a turn of the wheel.
 */
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

/** The plugins of every chart. Always the same array: Chart.js can't change the plugins of a chart. */
export const CHART_PLUGINS = [pageColors, drawings, drawOnce];
