import { setImmediate as nextTurn } from 'node:timers/promises';
import { boundsOf, countedLevel, LEVELS } from '../../../app/readings/level/level';
import {
  byMetric,
  METRICS,
  type Metric,
  type MetricField,
  metricOf,
  type Thresholds,
} from '../../../app/readings/metric';
import type { Reading } from '../../../app/readings/reading';
import {
  type MetricTotals,
  mergeTotals,
  type RollUp,
  roundedAverageOf,
  type Steps,
  stepStart,
  totalsOf,
  withFaults,
} from '../../../app/readings/roll-up/roll-up';
import { SLOT_SECONDS, slotOf, slotSeconds } from '../../../app/readings/roll-up/slot';
import type { HistoryQuery, ReadingStore } from '../../../app/store/reading-store';
import { THRESHOLDS } from '../readings/readings';

/**
 * Computes the expected roll-ups of a store from readings alone.
 *
 * @param readings of one sensor, oldest first. Time at a level needs the slots around each one, up to `LONGEST_SECONDS`
 * away.
 */
export function rollUpReadings(
  readings: readonly Reading[],
  grouping: Steps,
  thresholds: Thresholds,
): RollUp[] {
  const steps = new Map<number, RollUp>();
  for (const reading of readings) {
    const start = stepStart(timeOf(reading), grouping);
    const known = steps.get(start) ?? { start, readings: 0, ...byMetric(() => null) };
    steps.set(start, {
      start,
      readings: known.readings + 1,
      ...byMetric((metric) => mergeTotals(known[metric.field], measuredTotals(reading, metric))),
      ...faultsIn(known, reading, grouping),
    });
  }
  for (const metric of METRICS) addLevels(steps, readings, grouping, metric, thresholds);
  return [...steps.values()];
}

function measuredTotals(reading: Reading, metric: Metric): MetricTotals | null {
  const value = reading[metric.field] ?? null;
  const { from, to } = metric.plausible;
  return value === null || value < from || value > to ? null : totalsOf(value);
}

function faultsIn(known: RollUp, reading: Reading, { step }: Steps): Pick<RollUp, 'co2_faults'> {
  const { co2 } = reading;
  const isFault = co2 !== null && step < SLOT_SECONDS && !measuredTotals(reading, metricOf('co2'));
  return withFaults(mergeTotals(known.co2_faults, isFault ? totalsOf(co2) : null));
}

/** Adds the time at a level in each slot to the step of its first value. */
function addLevels(
  steps: ReadonlyMap<number, RollUp>,
  readings: readonly Reading[],
  grouping: Steps,
  metric: Metric,
  thresholds: Thresholds,
): void {
  const { field } = metric;
  const slots = new Map<number, { first: number; totals: MetricTotals }>();
  for (const reading of readings) {
    const totals = measuredTotals(reading, metric);
    if (!totals) continue;
    const time = timeOf(reading);
    const known = slots.get(slotOf(time));
    slots.set(
      slotOf(time),
      known
        ? { ...known, totals: mergeTotals(known.totals, totals) as MetricTotals }
        : { first: time, totals },
    );
  }
  const starts = [...slots.keys()];
  for (const [i, start] of starts.entries()) {
    const { first, totals: slot } = slots.get(start) as { first: number; totals: MetricTotals };
    const before = start - (starts[i - 1] ?? Number.NEGATIVE_INFINITY);
    const after = (starts[i + 1] ?? Number.POSITIVE_INFINITY) - start;
    const totals = steps.get(stepStart(first, grouping))?.[field];
    const level = countedLevel(roundedAverageOf(slot), boundsOf(metric, thresholds));
    if (totals) totals.seconds[level] += slotSeconds(slot.values, before, after);
  }
}

const timeOf = ({ created_at }: Reading): number => Math.floor(Date.parse(created_at) / 1000);

/** Marks a second without a level. */
export const NO_LEVEL = -1;

/**
 * Returns the index in `LEVELS` of each second of a span, or `NO_LEVEL`. Applies the rule of docs/history.md to the
 * readings second by second.
 *
 * @param from seconds since 1970
 */
export function levelBySecond(
  readings: readonly Reading[],
  field: MetricField,
  from: number,
  to: number,
): Int8Array {
  const values = new Map<number, number[]>();
  for (const reading of readings) {
    const slot = Math.floor(Date.parse(reading.created_at) / 300_000) * 300;
    const value = reading[field] ?? null;
    const { from: least, to: most } = metricOf(field).plausible;
    if (value !== null && value >= least && value <= most)
      values.set(slot, [...(values.get(slot) ?? []), value]);
  }
  const seconds = new Int8Array(to - from).fill(NO_LEVEL);
  const slots = [...values].sort(([a], [b]) => a - b);
  for (const [i, [slot, own]] of slots.entries()) {
    const pause = (slots[i + 1]?.[0] ?? Number.POSITIVE_INFINITY) - slot;
    const pauseBefore = slot - (slots[i - 1]?.[0] ?? Number.NEGATIVE_INFINITY);
    const isAwaited = own.length <= 2 && pause <= 3900 && pause <= 3 * pauseBefore;
    const average = own.reduce((sum, value) => sum + value, 0) / own.length;
    const level = LEVELS.indexOf(countedLevel(average, boundsOf(metricOf(field), THRESHOLDS)));
    const end = slot + (isAwaited ? pause : 300);
    seconds.fill(level, Math.max(0, slot - from), Math.max(0, end - from));
  }
  return seconds;
}

const PAGE = 500;

/** A store in memory of one sensor's readings, which records its queries. */
export interface HistoryStore extends Pick<ReadingStore, 'rollUps'> {
  queries: HistoryQuery[];
  /** The highest number of concurrent queries so far. */
  concurrent(): number;
  /** The number of roll-ups read. */
  read(): number;
}

/** Creates a store that reads each page of roll-ups in its own event-loop turn. */
export function historyStore(readings: readonly Reading[]): HistoryStore {
  const known = new Map<string, RollUp[]>();
  const queries: HistoryQuery[] = [];
  let [running, concurrent, read] = [0, 0, 0];
  return {
    queries,
    concurrent: () => concurrent,
    read: () => read,
    async *rollUps(query) {
      const { from, to, step, phase = 0, thresholds } = query;
      queries.push(query);
      running += 1;
      concurrent = Math.max(concurrent, running);
      const key = `${step} ${phase}`;
      const all = known.get(key) ?? rollUpReadings(readings, { step, phase }, thresholds);
      known.set(key, all);
      const found = all.filter(({ start }) => from <= start && start < to);
      read += found.length;
      for (let i = 0; i < found.length; i += PAGE) {
        await nextTurn();
        yield found.slice(i, i + PAGE);
      }
      running -= 1;
    },
  };
}

/** Intervals of a sensor in seconds, from every second to every hour. */
const BEATS = [1, 5, 15, 60, 300, 420, 900, 1800, 3600];

/**
 * Returns the readings of one sensor in a span, oldest first: stretches of different intervals with gaps between them,
 * some without one of the metrics or with each in separate readings, and values that wander through all levels.
 *
 * @param random returns numbers from 0 to 1
 * @param from seconds since 1970
 * @param seconds the length of the span
 * @param limit the approximate number of readings
 */
export function randomHistory(random: () => number, from: number, seconds: number, limit: number): Reading[] {
  const readings: Reading[] = [];
  const oneOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const end = from + seconds;
  let time = from + random() * 600;
  let co2 = 900;
  while (time < end && readings.length < limit) {
    const beat = oneOf(BEATS.filter((each) => limit - readings.length > 300 || each > 60));
    const hasCo2 = random() < 0.85;
    const hasVoc = !hasCo2 || random() < 0.7;
    // Two sensors with the same name may send one metric each.
    const apart = hasCo2 && hasVoc && random() < 0.4 ? oneOf([0.1, 0.5, 0.9]) : null;
    const until = time + Math.min(beat * (5 + random() * 200), seconds / 8);
    for (; time < Math.min(until, end); time += beat * (0.9 + random() * 0.2)) {
      co2 = Math.max(380, co2 + (random() - 0.5) * 400 + (co2 > 2300 ? -150 : 0));
      const created_at = new Date(Math.round(time * 1000)).toISOString();
      const only = apart === null ? null : random() < apart ? 'co2' : 'voc';
      const values = {
        co2: hasCo2 && only !== 'voc' ? Math.round(co2) : null,
        voc: hasVoc && only !== 'co2' ? Math.round(co2 / 2.5) : null,
      };
      readings.push({ id: readings.length + 1, ...values, created_at });
    }
    if (random() < 0.5) time += random() * 20_000;
  }
  return readings;
}
