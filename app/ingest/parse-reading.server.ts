import type { FieldError } from '../readings/field-error';
import type { ReadingInput } from '../readings/reading';
import { nameFault } from '../readings/sensor-name.js';
import { parseTime } from './parse-time.server';

export type ParsedReading = { ok: true; reading: ReadingInput } | { ok: false; errors: FieldError[] };

/** Notes why a member is invalid. */
type Reject = (detail: string) => undefined;

/** Each digit can be matched in one way only: with `\d+\.?\d*`, the time is quadratic in their number. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** More than any finite number needs: the largest has 309 digits. */
export const NUMBER_TEXT_LIMIT = 400;

/**
 * Parses a value as a reading: `co2` and `voc`, and optionally `created_at` and `sensor`, for which `null` means the same
 * as leaving them out. Ignores other members.
 *
 * @param body any value, as returned by `JSON.parse`
 * @param now the server's clock in milliseconds since 1970
 * @returns the reading, or an error for each invalid field. Both metrics are missing from a value that isn't an object.
 */
export function parseReading(body: unknown, now = Date.now()): ParsedReading {
  const errors: FieldError[] = [];
  const rejectAs = (field: string) => (detail: string) => void errors.push({ field, detail });
  const co2 = parseMetric(memberOf(body, 'co2'), rejectAs('co2'));
  const voc = parseMetric(memberOf(body, 'voc'), rejectAs('voc'));
  if (co2 === null && voc === null) {
    rejectAs('co2')('is null, and so is voc: send a number for one of them at least');
    rejectAs('voc')('is null, and so is co2: send a number for one of them at least');
  }
  const created_at = parseCreatedAt(memberOf(body, 'created_at'), rejectAs('created_at'), now);
  const sensor = parseSensor(memberOf(body, 'sensor'), rejectAs('sensor'));
  if (errors.length > 0 || co2 === undefined || voc === undefined) return { ok: false, errors };
  const reading: ReadingInput = { co2, voc };
  if (created_at !== undefined) reading.created_at = created_at;
  if (sensor !== undefined) reading.sensor = sensor;
  return { ok: true, reading };
}

/** Returns an own member: the client didn't send inherited ones. */
function memberOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
}

/** Returns a metric's value: null if the sensor doesn't measure it, undefined if it was rejected. */
function parseMetric(sent: unknown, reject: Reject): number | null | undefined {
  if (sent === null) return null;
  if (sent === undefined)
    return reject('is missing: send a number, or null if the sensor does not measure it');
  if (typeof sent !== 'number' && typeof sent !== 'string') return reject('must be a number, or text of one');
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

function parseCreatedAt(sent: unknown, reject: Reject, now: number): string | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (typeof sent === 'string' || typeof sent === 'number') return parseTime(sent, reject, now);
  return reject('must be text of a time, or seconds or milliseconds since 1970');
}

function parseSensor(sent: unknown, reject: Reject): string | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (typeof sent !== 'string') return reject('must be text');
  const name = sent.trim();
  if (name === '') return reject('is empty: leave it out for the sensor without a name');
  const fault = nameFault(name);
  return fault === null ? name : reject(fault);
}
