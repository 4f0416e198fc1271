import { Evaluator, type EvaluatorOptions, type EvaluatorRules } from '../../../app/alerts/evaluator.server';
import type { AlertEvent } from '../../../app/providers/alert-event';
import type { AirRules, AirState, SensorAir, Transition } from '../../../app/readings/air/air-state';
import { judgeReading } from '../../../app/readings/air/judge-reading';
import {
  compareReadings,
  compareTimes,
  type Reading,
  type ReadingInput,
  sensorOf,
} from '../../../app/readings/reading';
import type { ReadingStore } from '../../../app/store/reading-store';
import { START, THRESHOLDS } from '../readings/readings';
import { MemoryAlertStore } from './memory-alert-store';

export const MINUTE = 60_000;

/** The default rules. */
export const AIR_RULES: AirRules = {
  thresholds: THRESHOLDS,
  afterMs: 5 * MINUTE,
  silentAfterMs: 15 * MINUTE,
};

/** Returns the time this many minutes after `START`, in ISO 8601. */
export const minute = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();

/** A minute with its CO2, or with CO2 and VOC. */
export type Point = [minutes: number, co2: number | null, voc?: number | null];

export const airReadings = (points: readonly Point[], sensor = ''): (Reading & { created_at: string })[] =>
  points.map(([minutes, co2, voc = null], i) => {
    const reading = { id: i + 1, co2, voc, created_at: minute(minutes) };
    return sensor ? { ...reading, sensor } : reading;
  });

/** Returns one point a minute. */
export const everyMinute = (from: number, ...co2: number[]): Point[] =>
  co2.map((value, i) => [from + i, value]);

/** Judges readings in order. */
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

/** Returns transitions such as `10: good -> poor since 5`, in minutes after `START`. */
export function inMinutes(
  transitions: readonly Pick<Transition, 'at' | 'from' | 'to' | 'since'>[],
): string[] {
  const minutes = (time: string) => (Date.parse(time) - START) / MINUTE;
  return transitions.map(({ at, from, to, since }) => {
    const start = since === at ? '' : ` since ${minutes(since)}`;
    return `${minutes(at)}: ${from} -> ${to}${start}`;
  });
}

/** The default rules. */
const RULES: EvaluatorRules = {
  ...AIR_RULES,
  on: ['poor', 'silent'] as AirState[],
  againMs: null,
  quiet: null,
  timeZone: 'UTC',
  publicUrl: null,
};

/** An evaluator with stores in memory and a clock that tests set, in minutes after `START`. */
export async function startWatching(
  rules: Partial<EvaluatorRules> = {},
  {
    pageRows = 1000,
    start = 0,
    clockLeadMs = undefined as number | undefined,
    stored = [] as readonly (ReadingInput & { created_at: string })[],
    rooms = undefined as EvaluatorOptions['rooms'],
    addresses = ['a', 'b'] as readonly string[],
  } = {},
) {
  const readings = memoryReadings(pageRows, clockLeadMs);
  readings.insert(stored);
  const alerts = new MemoryAlertStore();
  let now = START + start * MINUTE;
  const open = (changed: Partial<EvaluatorRules> = {}) =>
    Evaluator.open({
      readings: readings.store,
      alerts,
      addresses,
      rules: { ...RULES, ...rules, ...changed },
      now: () => now,
      rooms,
    });
  let evaluator = await open();
  return {
    alerts,
    readings: readings.store,
    round: () => evaluator.round(),
    isDue: () => evaluator.isDue(),
    now: () => now,
    sensors: () => evaluator.sensors,
    /** Returns when a sensor becomes silent, in minutes after `START`. */
    silentFrom(sensor: string) {
      const watched = evaluator.sensors.find((one) => one.sensor === sensor);
      return watched && (evaluator.silences.silentFrom(watched) - START) / MINUTE;
    },
    /** Stores readings and judges them at the time of the clock. */
    async insert(inputs: readonly (ReadingInput & { created_at: string })[]) {
      readings.insert(inputs);
      await evaluator.round();
    },
    /** Stores readings without judging them. */
    store: readings.insert,
    at(minutes: number) {
      now = START + minutes * MINUTE;
    },
    /** Advances the clock, with a round every minute. */
    async runTo(minutes: number) {
      while (now < START + minutes * MINUTE) {
        now = Math.min(now + MINUTE, START + minutes * MINUTE);
        await evaluator.round();
      }
    },
    /** Restarts with the stored data, as after a crash. */
    async restart(changed?: Partial<EvaluatorRules>, newAddresses = addresses) {
      addresses = newAddresses;
      evaluator.abandon();
      evaluator = await open(changed);
    },
    /** Stops in an orderly way, and restarts. */
    async reopen() {
      await evaluator.close();
      evaluator = await open();
    },
    /** The stored transitions, oldest first. */
    transitions: () => alerts.transitions.toSorted((a, b) => compareTimes(a.at, b.at)),
    events: () => alerts.messages.map(({ event }): AlertEvent => JSON.parse(event)),
    /** Each message as `entered: Poor air`. */
    notified: () =>
      alerts.messages.map(({ event }) => `${JSON.parse(event).kind}: ${JSON.parse(event).title}`),
  };
}

/**
 * Keeps readings in memory, with the methods of a store that alerts use.
 *
 * @param clockLeadMs the lead of the store's clock, if it has one
 */
export function memoryReadings(pageRows = 1000, clockLeadMs?: number) {
  const stored: Reading[] = [];
  const listeners = new Set<(reading: Reading) => void>();
  const store: Pick<ReadingStore, 'inserts' | 'read' | 'newest' | 'clockLeadMs'> = {
    inserts: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async *read({ after, sensor, from = '', to = '9999', limit }) {
      const selected = stored.filter(
        (reading) =>
          reading.id > (after ?? 0) &&
          (sensor === undefined || sensorOf(reading) === sensor) &&
          reading.created_at >= from &&
          reading.created_at < to,
      );
      if (after === undefined) selected.sort(compareReadings);
      if (limit !== undefined) selected.splice(0, selected.length - limit);
      for (let i = 0; i < selected.length; i += pageRows) yield selected.slice(i, i + pageRows);
    },
    newest: async () => stored.slice(-1),
    ...(clockLeadMs !== undefined && { clockLeadMs: () => clockLeadMs }),
  };
  /** Stores readings as another process would. */
  function insertElsewhere(inputs: readonly (ReadingInput & { created_at: string })[]): Reading[] {
    const readings = inputs.map((input, i) => ({ ...input, id: stored.length + 1 + i }));
    stored.push(...readings);
    return readings;
  }
  return {
    store,
    insertElsewhere,
    insert(inputs: readonly (ReadingInput & { created_at: string })[]): Reading[] {
      const readings = insertElsewhere(inputs);
      for (const reading of readings) for (const listener of listeners) listener(reading);
      return readings;
    },
  };
}
