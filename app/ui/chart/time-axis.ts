import type { Scale } from 'chart.js';
import { viewOf } from './history-zoom';
import { type TimeTicks, timeTicks } from './time-ticks';

/** Between two labels, in pixels. */
const LABEL_DISTANCE = 16;

/**
 * Returns the options of a time axis: a linear scale in milliseconds, with ticks of our own. Those at the beginnings of
 * days, months or years are `major`.
 */
export function timeAxis() {
  let labels: readonly string[] = [];
  return {
    type: 'linear' as const,
    bounds: 'data' as const,
    afterDataLimits(scale: Scale) {
      const { from, to } = viewOf(scale.chart);
      Object.assign(scale, { min: from, max: to });
    },
    afterBuildTicks(scale: Scale) {
      const ticks = ticksOf(scale);
      labels = ticks.labels;
      scale.ticks = ticks.times.map((value) => ({ value, major: ticks.areDays }));
    },
    grid: { display: false, drawTicks: false },
    ticks: {
      padding: 5,
      maxRotation: 0,
      autoSkip: false,
      callback: (_: string | number, index: number) => labels[index],
    },
  };
}

function ticksOf(scale: Scale): TimeTicks {
  const { ctx, width } = scale;
  const view = viewOf(scale.chart);
  const msPerPixel = (view.to - view.from) / width;
  ctx.save();
  const { size = 12, family = 'sans-serif' } = scale.chart.options.font as { size?: number; family?: string };
  ctx.font = `${size}px ${family}`;
  const ticks = timeTicks(view, (label) => (ctx.measureText(label).width + LABEL_DISTANCE) * msPerPixel);
  ctx.restore();
  return ticks;
}
