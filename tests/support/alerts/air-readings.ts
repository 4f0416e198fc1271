import type { AirRules, SensorAir, Transition } from '../../../app/readings/air/air-state';
import { judgeReading } from '../../../app/readings/air/judge-reading';
import type { Reading } from '../../../app/readings/reading';
import { START, THRESHOLDS } from '../readings/readings';

export const MINUTE = 60_000;

/** The rules of an installation that sets none. */
export const AIR_RULES: AirRules = {
  thresholds: THRESHOLDS,
  afterMs: 5 * MINUTE,
  silentAfterMs: 15 * MINUTE,
};

/** Returns the time of a minute after `START`, as it is stored. */
export const minute = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();

/** A minute, and the CO2 then; or CO2 and VOC. */
export type Point = [minutes: number, co2: number | null, voc?: number | null];

export const airReadings = (points: readonly Point[], sensor = ''): (Reading & { created_at: string })[] =>
  points.map(([minutes, co2, voc = null], i) => {
    const reading = { id: i + 1, co2, voc, created_at: minute(minutes) };
    return sensor ? { ...reading, sensor } : reading;
  });

/** Returns one point a minute. */
export const everyMinute = (from: number, ...co2: number[]): Point[] =>
  co2.map((value, i) => [from + i, value]);

/** Judges readings in their order. */
export function judgeAll(readings: readonly Reading[], rules: AirRules = AIR_RULES) {
  const transitions: Transition[] = [];
  let air: SensorAir | null = null;
  for (const reading of readings) {
    const judged = judgeReading(air, reading, rules);
    air = judged.air;
    transitions.push(...judged.transitions);
  }
  return { air: air as SensorAir | null, transitions };
}

/** Returns transitions such as `10: good -> poor since 5`, with minutes after `START`. */
export function inMinutes(
  transitions: readonly Pick<Transition, 'at' | 'from' | 'to' | 'since'>[],
): string[] {
  const minutes = (time: string) => (Date.parse(time) - START) / MINUTE;
  return transitions.map(({ at, from, to, since }) => {
    const start = since === at ? '' : ` since ${minutes(since)}`;
    return `${minutes(at)}: ${from} -> ${to}${start}`;
  });
}
