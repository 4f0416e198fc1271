import { LEVELS, levelOf } from '../../../app/readings/level/level';
import type { MetricField } from '../../../app/readings/metric';
import type { Reading } from '../../../app/readings/reading';
import { THRESHOLDS } from '../readings/thresholds';

/** Stands for a second that counts as of no level. */
export const NO_LEVEL = -1;

/**
 * Returns the index in `LEVELS` of each second of a span, or `NO_LEVEL`: the rule of docs/history.md, applied to the
 * readings second by second.
 *
 * @param from seconds since 1970
 */
export function levelBySecond(
  readings: readonly Reading[],
  field: MetricField,
  from: number,
  to: number,
): Int8Array {
  const values = new Map<number, number[]>();
  for (const reading of readings) {
    const slot = Math.floor(Date.parse(reading.created_at) / 300_000) * 300;
    const value = reading[field];
    if (value !== null) values.set(slot, [...(values.get(slot) ?? []), value]);
  }
  const seconds = new Int8Array(to - from).fill(NO_LEVEL);
  const slots = [...values].sort(([a], [b]) => a - b);
  for (const [i, [slot, own]] of slots.entries()) {
    const pause = (slots[i + 1]?.[0] ?? Number.POSITIVE_INFINITY) - slot;
    const pauseBefore = slot - (slots[i - 1]?.[0] ?? Number.NEGATIVE_INFINITY);
    const isAwaited = own.length <= 2 && pause <= 3900 && pause <= 3 * pauseBefore;
    const average = own.reduce((sum, value) => sum + value, 0) / own.length;
    const level = LEVELS.indexOf(levelOf(average, THRESHOLDS[field]));
    const end = slot + (isAwaited ? pause : 300);
    seconds.fill(level, Math.max(0, slot - from), Math.max(0, end - from));
  }
  return seconds;
}
