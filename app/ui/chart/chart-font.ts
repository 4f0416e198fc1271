import type { Chart } from 'chart.js';

/** Returns the fonts of texts inside the chart, a little smaller than those of its axes. */
export function fontOf(chart: Chart): { small: string; bold: string; lineHeight: number } {
  const { size = 12, family = 'sans-serif' } = (chart.options.font ?? {}) as {
    size?: number;
    family?: string;
  };
  const small = `${Math.round((size * 11) / 12)}px ${family}`;
  return { small, bold: `600 ${small}`, lineHeight: Math.round(size * 1.2) };
}
