import type { FieldError } from '../readings/field-error';
import { type SensorSummary, UNNAMED } from '../readings/reading';
import { SECOND_US } from '../readings/time/durations';
import { parseReadingTime } from '../readings/time/reading-time';
import type { ReadingStore } from '../store/reading-store';

/** A span of one sensor's history, from `from` and before `to`, in whole seconds since 1970. */
export interface Span {
  sensor: string;
  from: number;
  to: number;
}

/** The span that an address names. Times are ISO 8601 in UTC, `from` not after `to`. */
export interface SpanQuery {
  sensor?: string;
  from?: string;
  to?: string;
}

/** An answer about a span, or the reasons for refusing it. */
export type SpanAnswer<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

/** The years that may have readings: those before 2000 are refused. Searching others would only take time. */
const EARLIEST = Date.UTC(2000) / 1000;
const LATEST = Date.UTC(2100) / 1000;

/** A refusal names this many sensors to choose from. */
const NAMED_SENSORS = 5;

/**
 * Returns the span that a query asks for, rounded to the seconds that it touches. Left out, `from` is the sensor's first
 * reading, `to` is now, and `sensor` is the only one there is.
 *
 * @param now the server's clock in milliseconds since 1970
 */
export async function askedSpan(
  store: Pick<ReadingStore, 'lastHeard'>,
  query: SpanQuery,
  now: number,
): Promise<SpanAnswer<Span>> {
  const isComplete = query.sensor !== undefined && query.from !== undefined;
  const sensors = isComplete ? [] : await store.lastHeard(query.sensor);
  if (query.sensor === undefined && sensors.length > 1) return { ok: false, errors: [choiceOf(sensors)] };
  const sensor = query.sensor ?? sensors[0]?.name ?? UNNAMED;
  const to = query.to === undefined ? now * 1000 : microsecondsOf(query.to);
  const first = query.from ?? sensors.find(({ name }) => name === sensor)?.first_heard;
  const from = first === undefined ? to : Math.min(microsecondsOf(first), to);
  const whole = { from: Math.floor(from / SECOND_US), to: Math.ceil(to / SECOND_US) };
  const value = { sensor, from: inHistory(whole.from), to: inHistory(from === to ? whole.from : whole.to) };
  return { ok: true, value };
}

/** Returns how long caches may keep an answer about steps that end then: late readings can change it at any time. */
export function maxAgeSeconds(end: number, now: number): number {
  return end <= now / 1000 - 3600 ? 60 : 0;
}

const microsecondsOf = (time: string): number => parseReadingTime(time) as number;

const inHistory = (seconds: number): number => Math.min(LATEST, Math.max(EARLIEST, seconds));

function choiceOf(sensors: readonly SensorSummary[]): FieldError {
  const shown = sensors.slice(0, NAMED_SENSORS).map(({ name }) => (name === UNNAMED ? 'empty' : `"${name}"`));
  const names = sensors.length > NAMED_SENSORS ? [...shown, 'another one of /api/sensors'] : shown;
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
  return { field: 'sensor', detail: `is missing, and there are several: it must be ${list}` };
}

/** The time that can be in a level: a slot counts from the sensor's first reading until now. In seconds since 1970. */
export interface ElapsedTime {
  from: number;
  to: number;
}

/** Returns the time since a sensor's first reading; null if it has none. The second that is under way is a part of it. */
export async function elapsedTime(
  store: Pick<ReadingStore, 'lastHeard'>,
  sensor: string,
  now: number,
): Promise<ElapsedTime | null> {
  const found = (await store.lastHeard(sensor)).find(({ name }) => name === sensor);
  return found
    ? { from: Math.floor(Date.parse(found.first_heard) / 1000), to: Math.floor(now / 1000) + 1 }
    : null;
}

/** Returns the part of a span that has elapsed. */
export function elapsedPart({ sensor, ...span }: Span, elapsed: ElapsedTime | null): Span {
  const from = Math.max(span.from, elapsed?.from ?? span.to);
  return { sensor, from, to: Math.max(from, Math.min(span.to, elapsed?.to ?? span.to)) };
}
