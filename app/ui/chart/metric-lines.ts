import type { MetricField } from '../../readings/metric';

/** The side of each metric's axis, and the dashes of its line. */
export const METRIC_LINES: Record<MetricField, { axis: 'left' | 'right'; dash: number[] }> = {
  co2: { axis: 'right', dash: [] },
  voc: { axis: 'left', dash: [6, 4] },
};

/** The legend's entry of the band from the lowest to the highest value. Those of lines are named after their fields. */
export const BAND_ENTRY = 'band';
