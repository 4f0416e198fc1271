import { eventLoopTurns } from '../config/event-loop-turns.server';
import { DAY_S, HOUR_S } from '../readings/time/durations';
import { type OffsetPeriod, offsetPeriods } from '../readings/time/local-time';

/** The search for clock changes covers this much time per event-loop turn: up to 10 ms of work. */
const SECONDS_PER_TURN = 3650 * DAY_S;

const nextTurn = eventLoopTurns();

/** A local hour or day, in seconds since 1970. */
interface LocalUnit {
  from: number;
  to: number;
}

/** The local hours and days around a span. */
export interface LocalTime {
  /** The periods between clock changes. They reach beyond the span. */
  periods: readonly OffsetPeriod[];
  /** Returns the local time in seconds since 1970, as if it were UTC. */
  localOf(time: number): number;
  /**
   * Returns the local hour that contains `time`. It ends at a clock change, even if the clocks then repeat the hour.
   */
  hourOf(time: number): LocalUnit;
  /** Returns the local day that contains `time`. It has 23 or 25 hours if the clocks change. */
  dayOf(time: number): LocalUnit;
}

/** Returns the local time in a zone around a span. */
export async function localTime(zone: string, from: number, to: number): Promise<LocalTime> {
  // A local day has less than 50 hours, even if the clocks were changed by a whole day.
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

/** Returns the part of a period between two local times. If there is no such part, `to` isn't after `from`. */
function partOf({ from, to, offset }: OffsetPeriod, start: number, end: number): LocalUnit {
  return { from: Math.max(from, start - offset), to: Math.min(to, end - offset) };
}

/** Splits a span at the clock changes of a zone. */
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
