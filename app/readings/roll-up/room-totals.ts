import { LEVELS, type Level } from '../level/level';
import type { MetricField } from '../metric';
import { HOUR_S } from '../time/durations';
import { averageOf, type MetricTotals, mergeTotals, type RollUp } from './roll-up';
import { cutTime, LONGEST_SECONDS, levelTimeOf, SLOT_SECONDS, slotOf } from './slot';

type Totals = Omit<MetricTotals, 'seconds'>;

const NO_SECONDS = { good: 0, moderate: 0, poor: 0 };

/** One metric's numbers of a sensor over a span: the values of all slots that the span touches, and its time in levels to the second. */
export interface RoomTotals {
  sensor: string;
  /** Null without values. */
  totals: Totals | null;
  /** The time in each level. An earlier slot may count for time within a span without values. */
  seconds: Record<Level, number>;
  /** The second in which the highest value was first measured, since 1970. */
  highest_at: number | null;
  /** The hour of the day with the highest average, 0 to 23. */
  worst_hour: number | null;
}

/** The totals of a room while its parts are added. Times are in seconds since 1970. */
export interface OpenRoom {
  sensor: string;
  from: number;
  to: number;
  /** The beginning of the first slot, and the end of the last one. */
  first: number;
  last: number;
  /** The totals by hour of the day. */
  hours: (MetricTotals | null)[];
  /** The time to add to each level at the ends of the span. */
  edges: Record<Level, number>;
  /** The highest value of the added slots, and the first slot with it. */
  highest: { value: number; slot: number } | null;
}

/** The slots this far around a span affect its time in levels. */
export const EDGE_SECONDS = 2 * LONGEST_SECONDS;

export function openRoom(sensor: string, from: number, to: number): OpenRoom {
  return {
    sensor,
    from,
    to,
    first: slotOf(from),
    last: slotOf(to + SLOT_SECONDS - 1),
    hours: Array(24).fill(null),
    edges: { ...NO_SECONDS },
    highest: null,
  };
}

/** A time zone's offset from UTC in seconds, during a period in seconds since 1970. */
interface Offset {
  from: number;
  to: number;
  offset: number;
}

/**
 * Adds slots, and the time that slots around the ends of the span count within it.
 *
 * @param slots oldest first, after `levelSlots`, with those around the span
 * @param isAdded returns true for a slot whose totals are in `hours` already
 */
export function addSlots(
  room: OpenRoom,
  field: MetricField,
  slots: readonly RollUp[],
  offsets: readonly Offset[],
  isAdded: (start: number) => boolean,
): void {
  for (const slot of slots) {
    const { start } = slot;
    const totals = slot[field];
    const isInside = room.first <= start && start < room.last;
    if (totals && isInside && !isAdded(start)) {
      const { offset } = offsets.find(({ to }) => start < to) ?? { offset: 0 };
      const hour = Math.floor((start + offset) / HOUR_S) % 24;
      room.hours[hour] = mergeTotals(room.hours[hour], totals);
      if (!room.highest || totals.highest > room.highest.value)
        room.highest = { value: totals.highest, slot: start };
    }
    // The time of other slots is neither cut nor from outside.
    const isAtEnd = start < room.from || start + LONGEST_SECONDS > room.to;
    const time = isAtEnd ? levelTimeOf(slot, field) : null;
    if (!time) continue;
    const cut = cutTime(time, room.from, room.to);
    room.edges[time.level] += (cut ? cut.to - cut.from : 0) - (isInside ? time.to - time.from : 0);
  }
}

/** Returns a room's totals. `highestSlot` is the first added slot with the highest value; null if another part has it. */
export function endRoom({ sensor, hours, edges, highest }: OpenRoom) {
  let totals: MetricTotals | null = null;
  let worst: { hour: number; average: number } | undefined;
  for (const [hour, own] of hours.entries()) {
    if (!own) continue;
    totals = mergeTotals(totals, own);
    const average = averageOf(own);
    if (!worst || average > worst.average) worst = { hour, average };
  }
  const { seconds: counted = NO_SECONDS, ...values } = totals ?? {};
  const seconds = { ...edges };
  for (const level of LEVELS) seconds[level] += counted[level];
  const highestSlot = highest && highest.value === totals?.highest ? highest.slot : null;
  return {
    sensor,
    totals: totals && (values as Totals),
    seconds,
    worst_hour: worst?.hour ?? null,
    highestSlot,
  };
}
