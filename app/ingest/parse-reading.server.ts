import { clockFault } from '../config/clock.server';
import type { FieldError } from '../readings/field-error';
import { METRICS, type Metric, type MetricField } from '../readings/metric';
import { inUnit } from '../readings/metric-units.js';
import { misspeltMetric } from '../readings/misspelt-metric';
import { MAX_AHEAD_MS } from '../readings/now/stale';
import type { MetricValues, ReadingInput } from '../readings/reading';
import { nameFault } from '../readings/sensor-name.js';
import { formatReadingTime, parseReadingTime } from '../readings/time/reading-time';
import { isObject, type Translate } from './devices';
import { isNoValue } from './parse-json';

/**
 * A parsed reading, or its errors. `ignored` names the unknown members and the metrics without a value, if there are any.
 * `isAhead` is set if the reading lost its time because of `ifAhead`. `waitMs` is set if the time is the only fault,
 * and valid after this wait.
 */
export type ParsedReading =
  | { ok: true; reading: ReadingInput; ignored?: string[]; isAhead?: true }
  | { ok: false; errors: FieldError[]; waitMs?: number };

/** Records the reason why a member is invalid. `waitMs` is set if it becomes valid after this wait. */
export type Reject = (detail: string, waitMs?: number) => undefined;

/** Matches each digit in only one way. With `\d+\.?\d*`, long numbers would take quadratic time. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Longer than any finite number needs: the largest one has 309 digits. */
export const NUMBER_TEXT_LIMIT = 400;

export interface ParseOptions {
  /** Translates the device's own format. */
  translate?: Translate;
  /** The server's clock in milliseconds since 1970. */
  now?: number;
  /** For a time that is ahead by no more than `longestWaitMs`: by default it has to wait. See `PostRequest`. */
  ifAhead?: 'now' | 'refused';
  longestWaitMs?: number;
}

/** By default, a device's clock may be ahead by this much: its reading isn't refused for good. */
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * Parses a value as a reading: its metrics, and optionally `created_at` and `sensor`. For these two, `null` means the
 * same as leaving them out. Ignores other members, but rejects misspelt names of metrics. Ignores a metric without a value
 * (`"nan"`) beside one that has a value.
 *
 * @param sent any value, as returned by `JSON.parse`
 * @returns the reading, or an error for each invalid field; a value that isn't an object has no metric
 */
export function parseReading(
  sent: unknown,
  { translate, now = Date.now(), ifAhead, longestWaitMs = LONGEST_WAIT_MS }: ParseOptions = {},
): ParsedReading {
  const translation = translate?.(sent);
  if (translation?.ok === false) return translation;
  const body = translation ? translation.value : sent;
  const errors: FieldError[] = [];
  const rejectAs = (field: string) => (detail: string) => void errors.push({ field, detail });
  const { misspelt, ignored } = otherMembers(body);
  for (const [name, metric] of misspelt) rejectAs(name)(`is unknown: send it as ${inUnit(metric.field)}`);
  const time = (memberOf(body, 'created_at') ?? null) === null && ignored.find((name) => isTime(body, name));
  if (time) rejectAs(time)('is unknown: send the time of the measurement as "created_at"');
  const values = parseValues(body, rejectAs, ignored, misspelt.length > 0);
  let waitMs: number | undefined;
  const rejectTime: Reject = (detail, wait) => {
    const isShort = wait !== undefined && wait <= longestWaitMs - MAX_AHEAD_MS;
    waitMs = isShort && ifAhead !== 'refused' ? wait : undefined;
    if (waitMs === undefined || ifAhead !== 'now') rejectAs('created_at')(detail);
  };
  const created_at = parseSentTime(memberOf(body, 'created_at'), rejectTime, now);
  const sensor = parseSensor(memberOf(body, 'sensor'), rejectAs('sensor'));
  const isAhead = waitMs !== undefined;
  if (errors.length > 0) return { ok: false, errors, ...(errors.length === 1 && isAhead && { waitMs }) };
  const reading: ReadingInput = values;
  if (created_at !== undefined) reading.created_at = created_at;
  if (sensor !== undefined) reading.sensor = sensor;
  return { ok: true, reading, ...(ignored.length > 0 && { ignored }), ...(isAhead && { isAhead }) };
}

/** Returns an own member, because inherited ones weren't sent. */
export function memberOf(body: unknown, name: string): unknown {
  return isReading(body) && Object.hasOwn(body, name) ? body[name] : undefined;
}

function isReading(body: unknown): body is Record<string, unknown> {
  return isObject(body) && !Array.isArray(body);
}

const FIELDS = METRICS.map(({ field }) => field);
/** The members of a reading; `id` is in those that `GET /api/data` returns. */
export const KNOWN_MEMBERS = new Set<string>([...FIELDS, 'created_at', 'sensor', 'id']);

/** Returns the unknown members of a reading: those whose names are misspelt, at most one for each metric, and the ignored ones. */
function otherMembers(body: unknown): { misspelt: [string, Metric][]; ignored: string[] } {
  const misspelt = new Map<Metric, string>();
  const ignored: string[] = [];
  if (isReading(body)) {
    for (const name of Object.keys(body)) {
      if (KNOWN_MEMBERS.has(name)) continue;
      const metric = misspeltMetric(name);
      if (metric === null) ignored.push(name);
      else if (!misspelt.has(metric)) misspelt.set(metric, name);
    }
  }
  return { misspelt: [...misspelt].map(([metric, name]) => [name, metric]), ignored };
}

/** Other names of `created_at`, in lower case without punctuation. */
const TIME_NAMES = new Set([
  ...['time', 'timestamp', 'ts', 'date', 'datetime', 'unixtime', 'epoch', 'created', 'createdat'],
  ...['measuredat', 'recordedat', 'observedat', 'lastseen', 'timestamputc'],
]);

/** True for a time under another name. Without it, an old reading would get the server's time. An uptime isn't one. */
function isTime(body: unknown, name: string): boolean {
  if (!TIME_NAMES.has(name.toLowerCase().replace(/[^a-z]/g, ''))) return false;
  const sent = memberOf(body, name);
  if (typeof sent === 'number') return sent * 1000 >= EARLIEST_MS;
  return typeof sent === 'string' && (LIKE_A_TIME.test(sent.trim()) || Number(sent) * 1000 >= EARLIEST_MS);
}

/**
 * Parses the metrics of a reading. Rejected values become null, and so do metrics without a value, whose names are added to
 * `ignored`. Rejects a reading in which no metric has a value, except after `isMisspelt`: that error says enough.
 */
function parseValues(
  body: unknown,
  rejectAs: (field: string) => Reject,
  ignored: string[],
  isMisspelt: boolean,
): MetricValues {
  const values: MetricValues = { co2: null, voc: null };
  const sent = FIELDS.flatMap((field): [MetricField, unknown][] => {
    const value = memberOf(body, field) ?? null;
    return value === null ? [] : [[field, value]];
  });
  const hasValue = sent.some(([, value]) => !isNoValue(value));
  for (const [field, value] of sent) {
    if (hasValue && isNoValue(value)) {
      values[field] = null;
      ignored.push(field);
    } else values[field] = parseNumber(value, rejectAs(field)) ?? null;
  }
  if (sent.length > 0 || isMisspelt) return values;
  if (!isReading(body)) {
    rejectAs('co2')('is missing, because the reading is not a JSON object: send one like {"co2": 415}');
  } else {
    const own = ignored.find((name) => Object.hasOwn(ADDRESSES, name));
    if (own) rejectAs(own)(`belongs to a device's own format: post it to ${ADDRESSES[own]}`);
    if (own) return values;
    const unknown = ignored.length > 0 ? ` (not known: ${quoted(ignored)})` : '';
    rejectAs('co2')(
      `has no value, and neither has another metric${unknown}: send a number for at least one of ${FIELDS.join(', ')}`,
    );
  }
  return values;
}

/** The addresses of devices whose posts have these members. */
const ADDRESSES: Record<string, string> = { sensordatavalues: '/api/airrohr', readings: '/api/enviro' };

const SHOWN_NAMES = 5;
const SHOWN_CHARACTERS = 40;

/** Lists the names of members for a message. Shortens long names and lists. */
export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name.slice(0, SHOWN_CHARACTERS)));
  return shown.join(', ') + (names.length > SHOWN_NAMES ? ', …' : '');
}

/** Returns a finite number, or undefined if it was rejected. */
function parseNumber(sent: unknown, reject: Reject): number | undefined {
  if (typeof sent !== 'number' && typeof sent !== 'string')
    return reject('must be a number, or a number as text');
  if (typeof sent === 'string' && sent.length > NUMBER_TEXT_LIMIT) {
    return reject(`has ${sent.length} characters: send a number of at most ${NUMBER_TEXT_LIMIT}`);
  }
  if (typeof sent === 'string') {
    const text = sent.trim();
    if (text === '') return reject('is empty: send a number');
    if (!DECIMAL.test(text)) {
      const hasComma = /^[+-]?\d+,\d+$/.test(text);
      return reject(
        hasComma
          ? 'must be a number with a point, not a comma, before its decimals'
          : 'must be a number, like 415 or "415.5"',
      );
    }
  }
  const number = Number(sent);
  return Number.isFinite(number) ? number : reject('must be a finite number');
}

/** Parses an optional time, which may be text or a number. See `parseTime`. */
export function parseSentTime(sent: unknown, reject: Reject, now: number): string | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (typeof sent === 'string' || typeof sent === 'number') return parseTime(sent, reject, now);
  return reject('must be a time as text, or seconds or milliseconds since 1970');
}

/** Parses a sensor's name. The store decides whether a new sensor may have it; see `guardNewSensors`. */
export function parseSensor(sent: unknown, reject: Reject): string | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (typeof sent !== 'string') return reject('must be text');
  const name = sent.trim();
  if (name === '') return reject('is empty: leave it out for the sensor without a name');
  const fault = nameFault(name);
  return fault === null ? name : reject(fault);
}

const EARLIEST_MS = Date.UTC(2000);
/**
 * Numbers from this one on are milliseconds since 1970; smaller ones are seconds. In milliseconds, this number is a
 * time in 1973; in seconds, in 5138.
 */
const MILLISECONDS_FROM = 1e11;
/** The last millisecond of the year 9999. */
const LATEST_MS = 253_402_300_799_999;
const TEXT_LIMIT = 64;

const NUMBER = /^\d+(\.\d*)?$/;
const WITHOUT_SECONDS = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(?= ?Z| ?[+-]|$)/i;
const LIKE_A_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?Z| ?[+-]\d\d(:?\d\d)?)?$/i;

const NOT_A_TIME = 'must be a time like "2026-01-31T12:00:00Z", or seconds or milliseconds since 1970';
const NO_OFFSET = 'has no offset from UTC: add "Z" if the time is in UTC, or an offset like "+02:00"';
const NO_SUCH_TIME = 'is not a valid date and time';

/**
 * Parses the time of a measurement: ISO 8601 with an offset or `Z`, or Unix time in seconds or milliseconds, as a
 * number or a string. The precision is a microsecond.
 *
 * @param reject called with the reason for an invalid time: one without an offset, more than 60 s ahead of the server's
 *   clock (with the wait until it isn't), or before 2000
 * @param now the server's clock in milliseconds since 1970. If it isn't set, any later time is accepted.
 * @returns the time in the form of `Reading.created_at`; undefined if it was rejected
 */
function parseTime(sent: string | number, reject: Reject, now: number): string | undefined {
  const text = typeof sent === 'string' ? sent.trim() : '';
  if (text.length > TEXT_LIMIT) return reject(NOT_A_TIME);
  const isNumber = typeof sent === 'number' || NUMBER.test(text);
  const us = isNumber ? microsecondsOf(Number(sent)) : parseReadingTime(text);
  if (us === null) {
    const complete = text.replace(WITHOUT_SECONDS, '$1:00');
    if (complete !== text) return parseTime(complete, reject, now);
    return reject(isNumber ? NOT_A_TIME : reasonAgainst(text));
  }
  const ms = us / 1000;
  if (ms > now + MAX_AHEAD_MS && clockFault(now) === null) {
    const clocks = `is ${shown(ms)}, and the server's clock says ${shown(now)}`;
    return reject(
      `${clocks}: it may be at most ${MAX_AHEAD_MS / 1000} s ahead. Check both clocks`,
      ms - now - MAX_AHEAD_MS,
    );
  }
  if (ms < EARLIEST_MS) {
    const clocks = `is ${shown(ms)}, and the server's clock says ${shown(now)}`;
    return reject(`${clocks}: times before 2000 are refused. Set the sensor's clock, or leave the time out`);
  }
  return formatReadingTime(us);
}

/** Rounds, because the nearest double to a time with six decimals may be just below it. */
function microsecondsOf(number: number): number | null {
  if (!Number.isFinite(number)) return null;
  return Math.round(number * (number >= MILLISECONDS_FROM ? 1000 : 1e6));
}

function reasonAgainst(text: string): string {
  if (!LIKE_A_TIME.test(text)) return NOT_A_TIME;
  return parseReadingTime(`${text}Z`) === null ? NO_SUCH_TIME : NO_OFFSET;
}

function shown(ms: number): string {
  return Math.abs(ms) <= LATEST_MS ? new Date(ms).toISOString() : `${ms / 1000} s after 1970`;
}
