import { outdoorSensor } from '../config/outdoor-sensor.server';
import { readAll, stepReader } from '../history/read-steps.server';
import { roundedAverageOf } from '../readings/roll-up/roll-up';
import { isEstimated, isNew, judgeSensor } from '../readings/room/believability';
import { currentDryAiring, type DryAiring } from '../readings/room/dry-airing';
import { type Airing, findAirings } from '../readings/room/find-airings';
import { type MoistHour, moistureOf } from '../readings/room/moisture';
import { detectionBase, type RoomFindings, type RoomRules } from '../readings/room/room-findings';
import {
  closedAirChanges,
  leastAirChanges,
  ROOM_DAYS,
  realAirings,
  ventilationOf,
} from '../readings/room/ventilation';
import type { AiringAnswer, VentilationAnswer } from '../readings/room/ventilation-answer';
import { sensorLabel } from '../readings/sensor';
import { DAY_S, formatWholeMinutes, HOUR_S, utcDay } from '../readings/time/durations';
import { canBeOutdoors, type Outdoors, readOutdoors } from './outdoors.server';
import { type DayFindings, dayFindings, LEAD_S, roomDays, rulesByDay } from './room-days.server';
import { type RoomSource, readMinutes, type SensorMinutes } from './room-minutes.server';

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
  const [outdoors, hours] = await Promise.all([readOutdoors(source, to), readHours(source, to)]);
  const isOutdoors = source.sensor === outdoorSensor(source.settings);
  const asked = { sensor: source.sensor, at: new Date(at * 1000).toISOString() };
  const first = today - (ROOM_DAYS - 1) * DAY_S;
  const before = isOutdoors
    ? []
    : (await roomDays(source, { from: first, to: today, most: MOST_COMPUTED_DAYS })).days;
  const { minutes, findings, rules } = await readToday(source, to);
  const days = isOutdoors ? [] : co2Days([...before, findings]);
  const decides = isOutdoors || decidesCo2(days);
  const airing = decides ? null : currentDryAiring(minutes.air, to / 60 - 1);
  const moistHours = isOutdoors ? [] : hoursWith(hours, outdoors);
  const { answer } = outdoors;
  const moisture = moistureOf(
    { points: minutes.air, hours: moistHours, airing },
    isOutdoors ? { temperature: null, humidity: null } : outdoors.moisture,
    to / 60,
  );
  const knowledge = { days, curve: isOutdoors ? [] : minutes.curve, rules, now: at / 60 };
  const room = ventilationOf(knowledge);
  const reasons = isOutdoors ? [OUTDOOR_REASON] : [...room.reasons, ...outdoorReasons(answer, to)];
  return { ...asked, ...room, reasons, moisture, outdoors: answer };
}

const OUTDOOR_REASON = 'Room: this sensor is outdoors, so nothing is said about a room.';

/** Returns why outdoor air is unknown, or why the CO2 of the sensor there doesn't count. */
function outdoorReasons(outdoors: Outdoors['answer'], to: number): string[] {
  if (!outdoors) return [];
  const { at, sensor, co2 } = outdoors;
  const name = sensorLabel(sensor);
  if (at === null) return [`Outdoors: unknown, because ${name} has no readings of the last week.`];
  if (!outdoors.is_current) {
    const age = formatWholeMinutes(to * 1000 - Date.parse(at));
    return [`Outdoors: unknown, because ${name}'s last reading is ${age} old.`];
  }
  if (co2 === null || canBeOutdoors(co2)) return [];
  return [`Outdoors: ${Math.round(co2)} PPM of ${name} can't be outdoor air, so CO2_OUTDOOR counts.`];
}

/** Returns the days with CO2. Others have only humidity. */
const co2Days = (days: readonly DayFindings[]) => days.filter(({ minutes, errors }) => minutes + errors > 0);

/** Returns true if airings are found in CO2: a sensor measures it. Else they are found in the humidity. */
const decidesCo2 = (days: readonly RoomFindings[]) => days.length > 0 && !isEstimated(days);

/** Reads the whole hours of a sensor's last day. */
function readHours({ store, sensor, settings }: RoomSource, to: number) {
  const last = Math.floor(to / HOUR_S) * HOUR_S;
  const read = stepReader(store, sensor, settings.thresholds);
  return readAll(read, { from: last - DAY_S, to: last, step: HOUR_S });
}

function hoursWith(hours: Awaited<ReturnType<typeof readHours>>, outdoors: Outdoors): MoistHour[] {
  return hours.flatMap(({ start, temperature, humidity }) =>
    temperature?.values && humidity?.values
      ? [
          {
            temperature: roundedAverageOf(temperature),
            humidity: roundedAverageOf(humidity),
            outdoorTemperature: outdoors.temperatureIn(start),
          },
        ]
      : [],
  );
}

/** What the current day says about a room. */
interface Today {
  /** The minutes of the day and of the hours before it. */
  minutes: SensorMinutes;
  findings: DayFindings;
  rules: RoomRules;
  /** The airing that goes on. */
  open: Airing | null;
}

/** Judges the UTC day of `to` (a full minute, in seconds since 1970) up to `to`. */
async function readToday(source: RoomSource, to: number): Promise<Today> {
  const day = utcDay(to);
  const [minutes, rulesOf] = await Promise.all([
    readMinutes(source, day - LEAD_S, to),
    rulesByDay(source, day, day + DAY_S),
  ]);
  const rules = rulesOf(day);
  const { curve } = minutes;
  return {
    minutes,
    findings: dayFindings(minutes, { from: day / 60, to: to / 60 }, rules),
    rules,
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
  if (source.sensor === outdoorSensor(source.settings)) return { airings: [], missing: 0 };
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
  const isCurrent = utcDay(span.to) + 2 * DAY_S > today;
  const current = isCurrent ? await readToday(source, Math.ceil(now / 60) * 60) : null;
  const all = current ? [...days, current.findings] : days;
  const ofCo2 = co2Days(all);
  const found = decidesCo2(ofCo2)
    ? await co2Airings(source, ofCo2, current?.open ?? null)
    : dryAirings(all, current && currentDryAiring(current.minutes.air, now / 60));
  const touching = found.filter(
    ({ from, to }) =>
      Date.parse(from) < span.to * 1000 && (to === null || Date.parse(to) >= span.from * 1000),
  );
  return { airings: touching, missing: 0 };
}

async function co2Airings(
  source: RoomSource,
  days: readonly RoomFindings[],
  open: Airing | null,
): Promise<AiringAnswer[]> {
  if (isNew(days)) return [];
  const last = utcDay((days.at(-1)?.last ?? 0) * 60);
  const { outdoor } = (await rulesByDay(source, last, last + DAY_S))(last);
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
  const ended: (Airing & { isOpen?: true })[] = days.flatMap(({ airings }) => airings);
  const found = open ? [...ended, { ...open, isOpen: true as const }] : ended;
  return realAirings(found, least).map(airingAnswer);
}

function dryAirings(days: readonly DayFindings[], open: DryAiring | null): AiringAnswer[] {
  const ended = days.flatMap((day) => day.dryAirings).filter(({ from }) => from !== open?.from);
  return [...ended, ...(open ? [open] : [])].map((airing) => ({
    ...{ from: timeOf(airing.from), to: airing === open ? null : timeOf(airing.to) },
    ...{ from_ppm: null, to_ppm: null, air_changes_per_hour: null },
    from_g_m3: Number(airing.fromGrams.toFixed(1)),
    to_g_m3: Number(airing.toGrams.toFixed(1)),
  }));
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
    ...{ from_g_m3: null, to_g_m3: null },
  };
}

const timeOf = (minute: number) => new Date(minute * 60_000).toISOString();
