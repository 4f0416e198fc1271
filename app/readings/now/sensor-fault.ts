import { formatValue } from '../format/format-value';
import { METRICS } from '../metric';
import type { Reading } from '../reading';

/** Returns what is wrong with a sensor that lately measured less than the air outdoors has, or null. */
export function faultOf(settling: readonly Reading[]): string | null {
  for (const { field, name, unit, outdoorLeast } of METRICS) {
    if (outdoorLeast === undefined) continue;
    const measured = settling.filter((reading) => reading[field] !== null);
    const latest = measured.filter((reading) => (reading[field] as number) < outdoorLeast).at(-1);
    if (!latest) continue;
    const low = latest[field] as number;
    const value = formatValue(low, { good: outdoorLeast, moderate: Number.POSITIVE_INFINITY });
    const is = latest === measured.at(-1) ? `is ${value} ${unit}` : `was ${value} ${unit} just now`;
    return `${name} ${is}, less than the air outdoors has`;
  }
  return null;
}
