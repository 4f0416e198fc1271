/**
 * Evaluates airboard's judgement of rooms on simulated ones (`evaluate-simulated.ts`), or on real readings from a sensor with
 * true CO2:
 *
 *   npm run evaluate [-- ROOM...]
 *   npm run evaluate -- FILE.csv[:SOURCE]...
 *
 * A ROOM is a part of a simulated room's name, such as `studio`.
 *
 * A file has the columns `created_at` and `co2`, and also `source` if the argument has a SOURCE. Airings and forecasts
 * use only earlier readings; the sensor and the air changes are judged at the end of the file. An injected airing lowers
 * the real curve by the mass balance of a room with an open window.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { at } from '../app/readings/at';
import { METRICS } from '../app/readings/metric';
import { quantile } from '../app/readings/quantiles';
import { judgeSensor } from '../app/readings/room/believability';
import type { CurvePoint } from '../app/readings/room/curve';
import { findAirings } from '../app/readings/room/find-airings';
import { OUTDOOR_PPM } from '../app/readings/room/physics';
import {
  detectionBase,
  findingsOf,
  LEAD_MINUTES,
  type RoomFindings,
  type RoomMinutes,
} from '../app/readings/room/room-findings';
import {
  closedAirChanges,
  leastAirChanges,
  ROOM_DAYS,
  realAirings,
  ventilationOf,
} from '../app/readings/room/ventilation';
import { seeded } from '../tests/support/readings/simulated-room';
import { evaluateSimulated } from './evaluate-simulated';

const DAY = 1440;
const SEED = 20_261_124;
const THRESHOLD = METRICS[0]?.threshold?.good ?? 1000;
/** The closed room's air changes per hour, at which CO2 returns to the real curve after an injected airing. */
const CLOSED = 0.5;
const RULES = { outdoor: OUTDOOR_PPM, threshold: THRESHOLD };

const names = process.argv.slice(2);
const files = names.filter((name) => name.includes('.csv'));
console.log(`seed ${SEED}, outdoor air ${OUTDOOR_PPM} PPM, threshold ${THRESHOLD} PPM\n`);
if (files.length === 0) evaluateSimulated(SEED, names);
else
  console.log(
    '| room | days | believable | offset | air changes closed (decays) | airings | injected: found, start within 2 min, known after (p50, p90) | not injected a week | forecasts shown: held |\n|---|---|---|---|---|---|---|---|---|',
  );
for (const file of files) console.log(`| ${evaluate(file).join(' | ')} |`);

function evaluate(argument: string): (string | number)[] {
  const [path = '', source] = argument.split(':');
  const minutes = readMinutes(path, source);
  const { curve } = minutes;
  const first = Math.floor(at(curve, 0).minute / DAY) * DAY;
  const last = at(curve, curve.length - 1).minute;
  const days = daysOf(minutes, first, last);
  const sensor = judgeSensor(days, RULES.outdoor);
  const closed = closedAirChanges(
    days.flatMap(({ decays }) => decays),
    sensor,
  );
  const all = days.flatMap(({ airings }) => airings);
  const found = realAirings(all, leastAirChanges(all, closed, sensor.baseline));
  const injected = injectedAirings(minutes);
  const forecasts = shownForecasts(minutes, days, first, last);
  return [
    `${basename(path)}${source ? ` (${source})` : ''}`,
    Math.round((last - first) / DAY),
    String(sensor.believable),
    sensor.offeredOffset ?? '',
    closed ? `${closed.median}, ${closed.lowest} to ${closed.highest} (${closed.decays})` : 'not known',
    sensor.silence ? 'nothing said' : found.length,
    `${injected.found} of ${injected.count}, ${injected.near}, ${injected.delays}`,
    (found.length / ((last - first) / DAY / 7)).toFixed(1),
    forecasts,
  ];
}

function readMinutes(path: string, source: string | undefined): RoomMinutes {
  const [head = '', ...rows] = readFileSync(path, 'utf8').trim().split('\n');
  const columns = head.split(',');
  const minutes = new Map<number, number[]>();
  for (const row of rows) {
    const cells = row.split(',');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    if ((source && cell('source') !== source) || cell('co2') === '') continue;
    const minute = Math.floor(Date.parse(cell('created_at')) / 60_000);
    minutes.set(minute, [...(minutes.get(minute) ?? []), Number(cell('co2'))]);
  }
  const sorted = [...minutes].sort(([a], [b]) => a - b);
  const isError = (values: number[]) => values.some((co2) => co2 <= 0 || co2 > 40_000);
  return {
    curve: sorted
      .filter(([, values]) => !isError(values))
      .map(([minute, values]) => ({
        minute,
        co2: values.reduce((sum, co2) => sum + co2, 0) / values.length,
      })),
    errors: sorted.filter(([, values]) => isError(values)).map(([minute]) => minute),
  };
}

/** Returns the part of the minutes that `findingsOf` needs for a day. */
function around({ curve, errors }: RoomMinutes, day: number, to: number): RoomMinutes {
  return { curve: curve.filter(({ minute }) => minute >= day - LEAD_MINUTES && minute < to), errors };
}

function daysOf(minutes: RoomMinutes, first: number, last: number): RoomFindings[] {
  const days: RoomFindings[] = [];
  for (let day = first; day <= last; day += DAY) {
    days.push(findingsOf(around(minutes, day, day + DAY), { from: day, to: day + DAY }, RULES));
  }
  return days;
}

/** Requests a forecast for every minute. Returns how many were shown and the share that came true. */
function shownForecasts(minutes: RoomMinutes, days: RoomFindings[], first: number, last: number): string {
  let [shown, held] = [0, 0];
  const { curve } = minutes;
  for (let day = first; day <= last; day += DAY) {
    const index = (day - first) / DAY;
    const before = days.slice(Math.max(0, index - ROOM_DAYS + 1), index);
    if (before.flatMap(({ rises }) => rises).length < 10 || judgeSensor(before, RULES.outdoor).silence)
      continue;
    const points = around(minutes, day, day + DAY).curve;
    for (const [i, { minute, co2 }] of points.entries()) {
      if (minute < day || co2 < THRESHOLD - 500 || co2 >= THRESHOLD) continue;
      const { forecast } = ventilationOf({
        days: before,
        curve: points.slice(0, i + 1),
        rules: RULES,
        now: minute,
      });
      if (!forecast) continue;
      shown += 1;
      const crossing =
        curve.find((point) => point.minute > minute && point.co2 >= THRESHOLD)?.minute ?? Infinity;
      const [least, most] = forecast.minutes;
      if (crossing - minute >= least && crossing - minute <= most) held += 1;
    }
  }
  return shown === 0 ? 'none' : `${shown}: ${Math.round((100 * held) / shown)} %`;
}

interface InjectedAiring {
  from: number;
  to: number;
  fromPpm: number;
  toPpm: number;
}

/**
 * Injects airings of 5 to 30 minutes with 3 to 12 air changes per hour, and searches for those that lower CO2 by 100 PPM.
 */
function injectedAirings({ curve }: RoomMinutes) {
  const random = seeded(SEED);
  let [count, found] = [0, 0];
  const errors: number[] = [];
  const delays: number[] = [];
  for (let round = 0; round < 10; round++) {
    const { points, airings } = inject(curve, random);
    const base = detectionBase(points, OUTDOOR_PPM);
    const { ended } = findAirings(points, base);
    for (const airing of airings.filter(({ fromPpm, toPpm }) => fromPpm - toPpm >= 100)) {
      count += 1;
      const match = ended.find(({ from, to }) => from <= airing.to && to >= airing.from);
      if (!match) continue;
      found += 1;
      errors.push(Math.abs(match.from - airing.from));
      delays.push(delayOf(points, airing.from, base));
    }
  }
  const near =
    errors.length === 0
      ? ''
      : `${Math.round((100 * errors.filter((error) => error <= 2).length) / errors.length)} %`;
  return { count, found, near, delays: `${quantile(delays, 0.5) ?? ''}, ${quantile(delays, 0.9) ?? ''} min` };
}

function delayOf(points: CurvePoint[], from: number, base: number): number {
  const first = points.findIndex(({ minute }) => minute > from);
  for (let i = first; i < Math.min(points.length, first + 30); i++) {
    const { current } = findAirings(points.slice(Math.max(0, i - 300), i + 1), base);
    if (current && current.from >= from - 5) return at(points, i).minute - from;
  }
  return 30;
}

function inject(curve: readonly CurvePoint[], random: () => number) {
  const points: CurvePoint[] = [];
  const airings: InjectedAiring[] = [];
  const pause = () => 90 + Math.floor(random() * 200);
  let next = at(curve, 0).minute + pause();
  let open: (InjectedAiring & { rate: number }) | null = null;
  let removed = 0;
  for (const [i, point] of curve.entries()) {
    const before = curve[i - 1];
    const hours = before ? (point.minute - before.minute) / 60 : 0;
    if (hours > 0.2) [removed, open] = [0, null];
    if (before && point.minute >= next) {
      const length = 5 + Math.floor(random() * 26);
      const fromPpm = before.co2 - removed;
      open = {
        from: before.minute,
        to: before.minute + length,
        fromPpm,
        toPpm: fromPpm,
        rate: 3 + random() * 9,
      };
      airings.push(open);
      next = point.minute + length + pause();
    }
    if (open && point.minute > open.to) open = null;
    const excess = Math.max(0, point.co2 - removed - OUTDOOR_PPM);
    removed += (open ? (1 - Math.exp(-open.rate * hours)) * excess : 0) - CLOSED * hours * removed;
    const co2 = point.co2 - removed;
    if (open) open.toPpm = co2;
    points.push({ minute: point.minute, co2 });
  }
  return { points, airings };
}
