import type { FieldError } from '../readings/field-error';
import { type SensorSummary, UNNAMED } from '../readings/reading';
import { SECOND_US } from '../readings/time/durations';
import { parseReadingTime } from '../readings/time/reading-time';
import type { ReadingStore } from '../store/reading-store';

/** A span of one sensor's history in whole seconds since 1970. `to` is exclusive. */
export interface Span {
  sensor: string;
  from: number;
  to: number;
}

/** The span in a query. Times are ISO 8601 in UTC, and `from` isn't after `to`. */
export interface SpanQuery {
  sensor?: string;
  from?: string;
  to?: string;
}

/** An answer about a span, or the errors of a rejected query. */
export type SpanAnswer<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

/** The years to search. Readings before 2000 are rejected, so earlier years have none. */
const EARLIEST = Date.UTC(2000) / 1000;
const LATEST = Date.UTC(2100) / 1000;

/** The most sensors that an error lists to choose from. */
const NAMED_SENSORS = 5;

/**
 * Returns the span of a query, extended to whole seconds. By default, `from` is the sensor's first reading, `to` is
 * now, and `sensor` is the only sensor.
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
  const first = query.from ?? sensors.find(({ name }) => name === sensor)?.first_heard;
  return { ok: true, value: { sensor, ...spanInSeconds(first, query.to, now) } };
}

/** Returns a span, extended to whole seconds. `to` is by default now, and `from` is `to`. */
export function spanInSeconds(
  first: string | undefined,
  last: string | undefined,
  now: number,
): Omit<Span, 'sensor'> {
  const to = last === undefined ? now * 1000 : microsecondsOf(last);
  const from = first === undefined ? to : Math.min(microsecondsOf(first), to);
  const whole = { from: Math.floor(from / SECOND_US), to: Math.ceil(to / SECOND_US) };
  return { from: inHistory(whole.from), to: inHistory(from === to ? whole.from : whole.to) };
}

/** Returns the sensor of a query: by default, the only one. */
export async function askedSensor(
  store: Pick<ReadingStore, 'lastHeard'>,
  asked: string | undefined,
): Promise<SpanAnswer<string>> {
  if (asked !== undefined) return { ok: true, value: asked };
  const sensors = await store.lastHeard();
  if (sensors.length > 1) return { ok: false, errors: [choiceOf(sensors)] };
  return { ok: true, value: sensors[0]?.name ?? UNNAMED };
}

/**
 * Returns how many seconds caches may keep an answer whose last step ends at `end`. The time is short, because late
 * readings can change any answer.
 */
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

/**
 * The time from a sensor's first reading until now, in seconds since 1970. Only this time counts as time in a level.
 */
export interface ElapsedTime {
  from: number;
  to: number;
}

/** Returns the time since a sensor's first reading, including the current second; null without readings. */
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
