import { formatValue } from '../readings/format/format-value';
import { METRICS } from '../readings/metric';
import type { ReadingInput } from '../readings/reading';

/** Formats the values of a reading: `CO2 862 PPM, VOC 120 PPB`, without a metric that isn't measured. */
export function formatReading(reading: ReadingInput): string {
  return METRICS.flatMap(({ field, name, unit }) => {
    const value = reading[field];
    return value === null ? [] : `${name} ${formatValue(value)} ${unit}`;
  }).join(', ');
}
