import { boundsOf, countedLevel, LEVELS, type Level } from '../level/level';
import { METRICS, type MetricField, type Thresholds } from '../metric';
import { type RollUp, roundedAverageOf } from './roll-up';

/** The length of a slot, in which time in a level is counted. Slots are aligned to 1970. */
export const SLOT_SECONDS = 300;

/** A slot or chart step with this many values shows that the sensor posts often, so empty neighbours are a silence. */
export const DENSE_FROM = 3;

/**
 * A slot counts up to the next one only if the next one starts within this time. This suits a sensor with a reading an
 * hour.
 */
export const LONGEST_SECONDS = 3900;

/** An interval is an outage if it is more than this many times as long as the one before. */
const PAUSE_GROWTH = 3;

/** Returns the start of the slot that contains a time, in seconds since 1970. */
export function slotOf(seconds: number): number {
  return Math.floor(seconds / SLOT_SECONDS) * SLOT_SECONDS;
}

/**
 * Returns the time counted for a slot's level, in seconds. The level is that of the slot's average value, and the time
 * is usually the slot's own five minutes. A slot with one or two values counts up to the next slot, unless the time
 * between them is an outage. Slots without values count for no level. See docs/history.md.
 *
 * @param values the number of the metric's values in the slot
 * @param before the seconds since the start of the previous slot with a value; `Infinity` if there is none
 * @param after the seconds until the start of the next slot with a value; `Infinity` if there is none
 */
export function slotSeconds(values: number, before: number, after: number): number {
  const isPause = values < DENSE_FROM && after <= Math.min(LONGEST_SECONDS, PAUSE_GROWTH * before);
  return isPause ? after : SLOT_SECONDS;
}

/**
 * Sets the time counted for each slot's level.
 *
 * @param slots one sensor's slots, oldest first, with all slots within `LONGEST_SECONDS` before and after those of
 * interest
 * @param metrics the metrics of the slots
 */
export function levelSlots(slots: readonly RollUp[], thresholds: Thresholds, metrics = METRICS): void {
  for (const metric of metrics) {
    const { field } = metric;
    const bounds = boundsOf(metric, thresholds);
    let before = Number.POSITIVE_INFINITY;
    let last: RollUp | undefined;
    const count = (after: number) => {
      const totals = last?.[field];
      if (!totals) return;
      const level = countedLevel(roundedAverageOf(totals), bounds);
      totals.seconds[level] = slotSeconds(totals.values, before, after);
    };
    for (const slot of slots) {
      if (!slot[field]) continue;
      const after = last ? slot.start - last.start : Number.POSITIVE_INFINITY;
      count(after);
      before = after;
      last = slot;
    }
    count(Number.POSITIVE_INFINITY);
  }
}

/** The time counted for a slot's level, in seconds since 1970. */
interface LevelTime {
  level: Level;
  from: number;
  to: number;
}

/** Returns the time counted for a slot's level; null if the slot has no value of the metric. */
export function levelTimeOf({ start, ...metrics }: RollUp, field: MetricField): LevelTime | null {
  const totals = metrics[field];
  const level = LEVELS.find((each) => totals && totals.seconds[each] > 0);
  return totals && level ? { level, from: start, to: start + totals.seconds[level] } : null;
}

/** Returns the part of a time that lies in a span, or null if no part does. */
export function cutTime<T extends { from: number; to: number }>(time: T, from: number, to: number): T | null {
  const cut = { ...time, from: Math.max(time.from, from), to: Math.min(time.to, to) };
  return cut.from < cut.to ? cut : null;
}
