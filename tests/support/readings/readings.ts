import { parseEnv } from '../../../app/config/env.server';
import type { InitialReadings } from '../../../app/live/initial-readings';
import {
  type Reading,
  type ReadingInput,
  type SensorSummary,
  sensorOf,
  UNNAMED,
} from '../../../app/readings/reading';

/** The default thresholds. */
export const { thresholds: THRESHOLDS } = parseEnv({});

/** The default rules. */
export const RULES = { thresholds: THRESHOLDS, afterMs: 300_000, silentAfterMs: 900_000 };

/** The time of reading 0, in milliseconds since 1970. */
export const START = Date.parse('2026-01-02T10:00:00.000Z');

/** Returns a stored reading with default values for the omitted members. */
export function reading(id: number, values: Partial<Omit<Reading, 'id'>> = {}): Reading {
  const created_at = new Date(START + id * 15_000).toISOString();
  return { id, co2: 400 + id, voc: 100 + id, created_at, ...values };
}

/** Returns `count` readings 15 s apart, with ids from 1. */
export function readings(
  count: number,
  values: (i: number) => Partial<ReadingInput> = () => ({}),
): Reading[] {
  return Array.from({ length: count }, (_, i) => reading(i + 1, values(i)));
}

/** Readings with these intervals between them, in milliseconds. */
export function readingsWithPauses(...pausesMs: number[]): Reading[] {
  let time = START;
  return [0, ...pausesMs].map((pause, i) => {
    time += pause;
    return reading(i + 1, { created_at: new Date(time).toISOString() });
  });
}

/** Returns the summary of one sensor that has sent these readings, oldest first; an empty list without readings. */
export function sensorWith(heard: readonly Reading[]): SensorSummary[] {
  const [first, newest] = [heard[0], heard.at(-1)];
  if (!first || !newest) return [];
  const [first_heard, last_heard] = [first.created_at, newest.created_at];
  return [{ name: sensorOf(newest), newest, first_heard, last_heard }];
}

/** The initial data of a page, with the first three readings of the unnamed sensor. */
export const FIRST_THREE: InitialReadings = {
  sensor: UNNAMED,
  sensors: sensorWith(readings(3)),
  readings: readings(3),
  count: 3,
  newestId: 3,
  serverTime: 1000,
};
