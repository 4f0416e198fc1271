import { eventLoopTurns } from '../config/event-loop-turns.server';
import { DAY_S, HOUR_S } from '../readings/time/durations';
import { type OffsetPeriod, offsetPeriods } from '../readings/time/time-zone';

/** The time whose changes of the clocks are found in one turn of the event loop: up to 10 ms of work. */
const SECONDS_PER_TURN = 3650 * DAY_S;

const nextTurn = eventLoopTurns();

/** An hour or a day by the clocks of a zone, in seconds since 1970. */
interface LocalUnit {
  from: number;
  to: number;
}

/** The local hours and days of a span. Days are counted from 1970, as they are called by the clocks. */
export interface LocalTime {
  /** The times in which the clocks aren't changed; they reach beyond the span. */
  periods: readonly OffsetPeriod[];
  /** Returns the local time in seconds since 1970, as if it were UTC. */
  localOf(time: number): number;
  /** Returns an hour. It ends where the clocks change, after which there may be another one of the same name. */
  hourOf(time: number): LocalUnit;
  /** Returns a day, which has 23 or 25 hours where the clocks change. */
  dayOf(time: number): LocalUnit;
}

/** Returns the local time of a zone around a span. */
export async function localTime(zone: string, from: number, to: number): Promise<LocalTime> {
  // A day has less than 50 hours even where the clocks were changed by a day.
  const periods = await periodsOf(zone, from - 3 * DAY_S, to + 3 * DAY_S);
  const periodOf = (time: number) =>
    periods.find((period) => time < period.to) ?? (periods.at(-1) as OffsetPeriod);
  let lastDay: LocalUnit = { from: 0, to: 0 };
  const localOf = (time: number) => time + periodOf(time).offset;
  return {
    periods,
    localOf,
    hourOf(time) {
      const start = Math.floor(localOf(time) / HOUR_S) * HOUR_S;
      return partOf(periodOf(time), start, start + HOUR_S);
    },
    dayOf(time) {
      if (lastDay.from <= time && time < lastDay.to) return lastDay;
      const start = Math.floor(localOf(time) / DAY_S) * DAY_S;
      const parts = periods
        .map((period) => partOf(period, start, start + DAY_S))
        .filter((part) => part.from < part.to);
      lastDay = { from: parts[0]?.from ?? time, to: parts.at(-1)?.to ?? time };
      return lastDay;
    },
  };
}

/** Returns the part of a period between two local times; it is empty, or negative, if there is none. */
function partOf({ from, to, offset }: OffsetPeriod, start: number, end: number): LocalUnit {
  return { from: Math.max(from, start - offset), to: Math.min(to, end - offset) };
}

/** Splits a span where the clocks of a zone change. */
async function periodsOf(zone: string, from: number, to: number): Promise<OffsetPeriod[]> {
  const periods: OffsetPeriod[] = [];
  for (let start = from; start < to; start += SECONDS_PER_TURN) {
    await nextTurn();
    for (const period of offsetPeriods(zone, start, Math.min(start + SECONDS_PER_TURN, to))) {
      const last = periods.at(-1);
      if (last?.offset === period.offset) last.to = period.to;
      else periods.push(period);
    }
  }
  return periods;
}
