import { z } from 'zod';
import type { FieldError } from '../readings/field-error';
import { METRICS } from '../readings/metric';
import type { ReadingInput } from '../readings/reading';

export type ParsedReading = { ok: true; reading: ReadingInput } | { ok: false; errors: FieldError[] };

/** Each digit can be matched in one way only: with `\d+\.?\d*`, the time is quadratic in their number. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** More than any finite number needs: the largest has 309 digits. */
const TEXT_LIMIT = 400;

const metricValue = z.unknown().transform((sent, context): number => {
  const reject = (detail: string) => {
    context.addIssue({ code: 'custom', message: detail });
    return z.NEVER;
  };
  if (sent === undefined || sent === null) return reject('is missing: send a number');
  if (typeof sent !== 'number' && typeof sent !== 'string') return reject('must be a number, or text of one');
  if (typeof sent === 'string' && sent.length > TEXT_LIMIT) {
    return reject(`has ${sent.length} characters: send a number of at most ${TEXT_LIMIT}`);
  }
  const text = String(sent).trim();
  if (text === '') return reject('is empty: send a number');
  if (typeof sent === 'string' && /^[+-]?\d+,\d+$/.test(text)) {
    return reject('must be a number with a point, not a comma, before its decimals');
  }
  if (typeof sent === 'string' && !DECIMAL.test(text)) return reject('must be a number, like 415 or "415.5"');
  const number = Number(text);
  return Number.isFinite(number) ? number : reject('must be a finite number');
});

const schema = z.object({ co2: metricValue, voc: metricValue });

/**
 * Parses a request body as a reading. Ignores members other than `co2` and `voc`.
 *
 * @param body any value, as returned by `JSON.parse`
 * @returns the reading, or an error for each invalid field. Both fields are missing from a body that isn't
 *   an object.
 */
export function parseReading(body: unknown): ParsedReading {
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  const parsed = schema.safeParse({ ...pick(members, 'co2'), ...pick(members, 'voc') });
  if (parsed.success) return { ok: true, reading: parsed.data };
  const errors = METRICS.flatMap(({ field }) => {
    const issue = parsed.error.issues.find(({ path }) => path[0] === field);
    return issue ? [{ field, detail: issue.message }] : [];
  });
  return { ok: false, errors };
}

/** Picks an own member: the client didn't send inherited ones. */
function pick(members: object, field: string): Record<string, unknown> {
  return { [field]: Object.hasOwn(members, field) ? (members as Record<string, unknown>)[field] : undefined };
}
