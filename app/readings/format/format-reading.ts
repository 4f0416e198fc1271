import { METRICS } from '../metric';
import type { ReadingInput } from '../reading';
import { formatValue } from './format-value';

/** Formats the values of a reading: `CO2 862 PPM, VOC 120 PPB`, without a metric that isn't measured. */
export function formatReading(reading: ReadingInput): string {
  return METRICS.flatMap(({ field, name, unit }) => {
    const value = reading[field];
    return value === null ? [] : `${name} ${formatValue(value)} ${unit}`;
  }).join(', ');
}
