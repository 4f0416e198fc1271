import { singleton } from '../config/singleton.server';
import type { ApiRequest } from '../http/answer';
import { dropOldest } from '../readings/drop-oldest';
import { isDoubtful, METRICS, type MetricField } from '../readings/metric';
import { doubtfulMetrics, type ReadingInput, sensorOf } from '../readings/reading';
import { isFromPage } from './device-posts.server';
import { quoted } from './parse-reading.server';

/** The most metrics of sensors to remember. A forgotten one is logged again. */
const MOST_LOGGED = 5000;

const logged = singleton('doubtful-values', () => new Set<string>());

/**
 * Returns the metrics of a posted reading whose values no working sensor reports; undefined if there are none. The counter of
 * `/postdata` may send any sensor's CO2 and VOC below zero.
 */
export function doubtfulIn(
  reading: ReadingInput,
  header: ApiRequest['header'] = () => null,
): MetricField[] | undefined {
  const found = doubtfulMetrics(reading, isFromPage(header));
  return found.length > 0 ? found.map(({ field }) => field) : undefined;
}

/** Returns a line for the log about the doubtful values of a stored reading; undefined if they were logged and last since then. */
export function firstDoubtful(
  reading: ReadingInput,
  fields: readonly MetricField[] = [],
): string | undefined {
  const sensor = sensorOf(reading);
  const keyOf = (field: MetricField) => JSON.stringify([sensor, field]);
  if (logged.size > 0) {
    for (const metric of METRICS) {
      const value = reading[metric.field] ?? null;
      if (value !== null && !isDoubtful(value, metric)) logged.delete(keyOf(metric.field));
    }
  }
  const fresh = fields.filter((field) => !logged.has(keyOf(field)));
  if (fresh.length === 0) return undefined;
  for (const field of fresh) logged.add(keyOf(field));
  dropOldest(logged, MOST_LOGGED);
  const of = sensor ? ` of ${quoted([sensor])}` : '';
  const values = fresh.map((field) => `${field} ${reading[field]}`).join(' and ');
  return `Stored ${values}${of}, which no working sensor reports: check it. Logged once until it recovers.`;
}
