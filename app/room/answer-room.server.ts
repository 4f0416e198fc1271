import { isEstimated, isNew, judgeSensor } from '../readings/room/believability';
import { type Airing, findAirings } from '../readings/room/find-airings';
import {
  detectionBase,
  findingsOf,
  type RoomFindings,
  type RoomMinutes,
} from '../readings/room/room-findings';
import {
  closedAirChanges,
  leastAirChanges,
  ROOM_DAYS,
  realAirings,
  ventilationOf,
} from '../readings/room/ventilation';
import type { AiringAnswer, VentilationAnswer } from '../readings/room/ventilation-answer';
import { DAY_S, utcDay } from '../readings/time/durations';
import { LEAD_S, roomDays, rulesOf } from './room-days.server';
import { type RoomSource, readMinutes } from './room-minutes.server';

/** The most days computed per request: about 2 s of work with a reading every 5 s. The next request continues. */
const MOST_COMPUTED_DAYS = 60;

/**
 * Returns the ventilation of a sensor's room at a time, using only earlier readings.
 *
 * @param at seconds since 1970. Readings in the same minute count only if `at` is less than a minute ago.
 */
export async function answerVentilation(
  source: RoomSource,
  at: number,
  now: number,
): Promise<VentilationAnswer> {
  const to = (at > now - 60 ? Math.ceil(at / 60) : Math.floor(at / 60)) * 60;
  const today = utcDay(to);
  const first = today - (ROOM_DAYS - 1) * DAY_S;
  const before = await roomDays(source, { from: first, to: today, most: MOST_COMPUTED_DAYS });
  const { minutes, findings } = await readToday(source, to);
  const knowledge = {
    days: [...before.days, findings],
    curve: minutes.curve,
    rules: rulesOf(source.settings),
    now: at / 60,
  };
  return { sensor: source.sensor, at: new Date(at * 1000).toISOString(), ...ventilationOf(knowledge) };
}

/** What the current day says about a room. */
interface Today {
  /** The minutes of the day and of the hours before it. */
  minutes: RoomMinutes;
  findings: RoomFindings;
  /** The airing that goes on. */
  open: Airing | null;
}

/** Judges the UTC day of `to` (a full minute, in seconds since 1970) up to `to`. */
async function readToday(source: RoomSource, to: number): Promise<Today> {
  const day = utcDay(to);
  const minutes = await readMinutes(source, day - LEAD_S, to);
  const rules = rulesOf(source.settings);
  const { curve } = minutes;
  return {
    minutes,
    findings: findingsOf(minutes, { from: day / 60, to: to / 60 }, rules),
    open: findAirings(curve, detectionBase(curve, rules.outdoor), to / 60 - 1).current,
  };
}

/** The airings of a span, or the number of days still to compute. */
export type AiringsAnswer = { airings: AiringAnswer[]; missing: 0 } | { airings: null; missing: number };

/**
 * Returns the airings that overlap a span, oldest first, using the stored daily findings.
 *
 * @param span in seconds since 1970, ending now at the latest
 */
export async function answerAirings(
  source: RoomSource,
  span: { from: number; to: number },
  now: number,
): Promise<AiringsAnswer> {
  const today = utcDay(now);
  const { outdoor } = rulesOf(source.settings);
  const { days, missing, keepError } = await roomDays(source, {
    // Judging the sensor and the closed room's air changes takes several days.
    from: Math.min(utcDay(span.from), utcDay(span.to) - ROOM_DAYS * DAY_S),
    // An airing that began before midnight may be found only after it.
    to: Math.min(today, utcDay(span.to) + 2 * DAY_S),
    most: MOST_COMPUTED_DAYS,
  });
  // The next request would compute the same days again.
  if (missing > 0 && keepError) throw keepError;
  if (missing > 0) return { airings: null, missing };
  const found: (Airing & { isOpen?: true })[] = days.flatMap(({ airings }) => airings);
  if (utcDay(span.to) + 2 * DAY_S > today) {
    const { findings, open } = await readToday(source, Math.ceil(now / 60) * 60);
    days.push(findings);
    found.push(...findings.airings);
    if (open) found.push({ ...open, isOpen: true });
  }
  if (isEstimated(days) || isNew(days)) return { airings: [], missing: 0 };
  const sensor = judgeSensor(days, outdoor);
  const latest = days.slice(-ROOM_DAYS);
  const closed = closedAirChanges(
    latest.flatMap(({ decays }) => decays),
    sensor,
  );
  const least = leastAirChanges(
    latest.flatMap(({ airings }) => airings),
    closed,
    sensor.baseline,
  );
  const touching = realAirings(found, least).filter(
    ({ from, to }) => from * 60 < span.to && to * 60 >= span.from,
  );
  return { airings: touching.map(airingAnswer), missing: 0 };
}

function airingAnswer({
  from,
  to,
  fromPpm,
  toPpm,
  airChangesPerHour,
  isOpen,
}: Airing & { isOpen?: true }): AiringAnswer {
  return {
    from: timeOf(from),
    to: isOpen ? null : timeOf(to),
    from_ppm: Math.round(fromPpm),
    to_ppm: Math.round(toPpm),
    air_changes_per_hour: Number(airChangesPerHour.toFixed(1)),
  };
}

const timeOf = (minute: number) => new Date(minute * 60_000).toISOString();
