import type { Transition } from '../../../readings/air/air-state';
import { parseReadingTime } from '../../../readings/time/reading-time';
import { formatReadingTime } from '../../../readings/time/stored-time';
import type { WatchedSensor } from '../../alert-store';
import type { Value } from '../inserts/sqlite-row-inserts.server';

/** The columns of `toTransition`. */
export const TRANSITION_COLUMNS = 'sensor, at, state, before, since, co2, voc, air, is_withdrawn';

export type TransitionRow = [
  sensor: string,
  at: number,
  state: Transition['to'],
  before: Transition['from'],
  since: number,
  co2: number | null,
  voc: number | null,
  air: string,
  isWithdrawn: number,
];

export type SensorRow = [sensor: string, air: string, told: WatchedSensor['told'], toldAt: number | null];

/** The length of a time such as `2026-01-31T08:00:00.000Z`. */
const MILLISECONDS_LENGTH = 24;

/** Returns a time in microseconds since 1970. */
export function toMicros(text: string): number {
  // Faster for times of many days: `parseReadingTime` remembers one.
  const milliseconds = text.length === MILLISECONDS_LENGTH ? Date.parse(text) : Number.NaN;
  const time = Number.isNaN(milliseconds) ? parseReadingTime(text) : milliseconds * 1000;
  if (time === null) throw new RangeError(`"${text}" is not an ISO 8601 time with Z or an offset.`);
  return time;
}

const orNull = <T, R>(value: T | null, convert: (value: T) => R): R | null =>
  value === null ? null : convert(value);

export const toMicrosOrNull = (text: string | null) => orNull(text, toMicros);
export const toTextOrNull = (time: number | null) => orNull(time, formatReadingTime);

export function sensorRow({ sensor, air, told, toldAt }: WatchedSensor): Value[] {
  return [sensor, JSON.stringify(air), told, toMicrosOrNull(toldAt)] satisfies SensorRow;
}

export function toWatchedSensor([sensor, air, told, toldAt]: SensorRow): WatchedSensor {
  return { sensor, air: JSON.parse(air), told, toldAt: toTextOrNull(toldAt) };
}

export function transitionRow({ sensor, at, from, to, since, co2, voc, air }: Transition): Value[] {
  const row: TransitionRow = [
    sensor,
    toMicros(at),
    to,
    from,
    toMicros(since),
    co2,
    voc,
    JSON.stringify(air),
    0,
  ];
  return row;
}

export function toTransition([sensor, at, to, from, since, co2, voc, air]: TransitionRow): Transition {
  return {
    sensor,
    at: formatReadingTime(at),
    from,
    to,
    since: formatReadingTime(since),
    co2,
    voc,
    air: JSON.parse(air),
  };
}
