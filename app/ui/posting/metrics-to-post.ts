import { useState } from 'react';
import type { LiveReadings } from '../../live/browser/use-readings';
import { MAIN_METRICS, METRICS, type Metric, measuredMetrics } from '../../readings/metric';
import { UNNAMED } from '../../readings/reading';

/**
 * Returns the metrics of a sensor's readings, in stored units. A metric stays while the page shows the sensor, because its field
 * may have text. The unnamed sensor always has CO2 and VOC, which the counters and the random readings send; so does a sensor
 * without readings.
 */
export function useMetricsToPost({
  sensor,
  history,
}: Pick<LiveReadings, 'sensor' | 'history'>): readonly Metric[] {
  const [known, setKnown] = useState<{ sensor: string; metrics: readonly Metric[] }>({ sensor, metrics: [] });
  const measured = measuredMetrics(history);
  const before = known.sensor === sensor ? known.metrics : [];
  const metrics = METRICS.filter((metric) => measured.includes(metric) || before.includes(metric));
  if (known.sensor !== sensor || metrics.length > before.length) setKnown({ sensor, metrics });
  if (metrics.length === 0) return MAIN_METRICS;
  if (sensor !== UNNAMED) return metrics;
  return METRICS.filter((metric) => MAIN_METRICS.includes(metric) || metrics.includes(metric));
}
