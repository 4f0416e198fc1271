import type { MetricField } from '../../readings/metric';

/** The side of each metric's axis (specification, section 2), and the dashes of its line. */
export const METRIC_LINES: Record<MetricField, { axis: 'left' | 'right'; dash: number[] }> = {
  co2: { axis: 'right', dash: [] },
  voc: { axis: 'left', dash: [6, 4] },
};
