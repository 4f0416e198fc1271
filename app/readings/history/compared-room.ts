import { CO2, METRICS, type Metric, type MetricField, type Thresholds } from '../metric';
import type { SensorSummary } from '../reading';
import { thresholdsFor } from '../sensor-settings';
import type { PageNumbers, StepAnswer } from './history-answer';

/** A room that a page compares with others. */
export interface ComparedRoom {
  sensor: string;
  /** Null if the sensor has no readings. */
  summary: SensorSummary | null;
  /** For browsers without JavaScript; null without readings. */
  numbers: PageNumbers | null;
}

/** Returns the metrics that a room measures: those of its newest reading, and of the steps of its history. */
export function measuredBy(newest: SensorSummary | null, steps: readonly StepAnswer[]): MetricField[] {
  const rows = newest ? [newest.newest, ...steps] : steps;
  return METRICS.map(({ field }) => field).filter((field) =>
    rows.some((row) => (row[field] ?? null) !== null),
  );
}

/**
 * Returns the one metric of a chart of several rooms: the first of `?metrics=` that a room measures, else CO2 if all measure it,
 * else the first that all share, else the first that any room measures.
 *
 * @param measured the metrics of each room with readings
 * @param metrics all metrics, in the viewer's units
 */
export function comparedMetric(
  search: string,
  measured: readonly (readonly MetricField[])[],
  metrics: readonly Metric[] = METRICS,
): Metric {
  const asked = new URLSearchParams(search).get('metrics')?.split(',') ?? [];
  const byAny = metrics.filter(({ field }) => measured.some((fields) => fields.includes(field)));
  const shared = byAny.filter(({ field }) => measured.every((fields) => fields.includes(field)));
  const named = asked.flatMap((name) => byAny.filter(({ field }) => field === name));
  const co2 = metrics.find(({ field }) => field === CO2.field) ?? CO2;
  return named[0] ?? shared.find((metric) => metric === co2) ?? shared[0] ?? byAny[0] ?? co2;
}

/**
 * Returns the thresholds of a metric that are drawn behind the lines of several rooms: their own, if they are the same, else
 * the server's. `areMixed` is true if some have others.
 */
export function sharedThresholds(
  rooms: readonly Pick<ComparedRoom, 'summary'>[],
  { field }: Metric,
  server: Thresholds,
): { thresholds: Thresholds; areMixed: boolean } {
  const own = rooms.flatMap(({ summary }) => (summary ? thresholdsFor(server, summary.thresholds) : []));
  const limitsOf = (each: Thresholds) => JSON.stringify([each[field], each.comfort?.[field]]);
  const [first = server] = own;
  const areMixed = own.some((each) => limitsOf(each) !== limitsOf(first));
  return { thresholds: areMixed ? server : first, areMixed };
}
