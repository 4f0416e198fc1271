import { z } from 'zod';
import type { FieldError } from '../readings/field-error';
import { METRICS } from '../readings/metric';
import type { ReadingInput } from '../readings/reading';

export type ParsedReading = { ok: true; reading: ReadingInput } | { ok: false; errors: FieldError[] };

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const value = z.unknown().transform((sent, context): number => {
  const refuse = (detail: string) => {
    context.addIssue({ code: 'custom', message: detail });
    return z.NEVER;
  };
  if (sent === undefined || sent === null) return refuse('is missing: send a number');
  if (typeof sent !== 'number' && typeof sent !== 'string') return refuse('must be a number, or text of one');
  const text = String(sent).trim();
  if (text === '') return refuse('is empty: send a number');
  if (typeof sent === 'string' && /^[+-]?\d+,\d+$/.test(text)) {
    return refuse('must be a number with a point, not a comma, before its decimals');
  }
  if (typeof sent === 'string' && !DECIMAL.test(text)) return refuse('must be a number, like 415 or "415.5"');
  const number = Number(text);
  return Number.isFinite(number) ? number : refuse('must be a finite number');
});

const shape = z.object({ co2: value, voc: value });

/**
 * Reads what a client sent as a reading. Members other than `co2` and `voc` are ignored.
 *
 * @param body anything, as it came out of `JSON.parse`
 * @returns the reading with numbers in it, or every field that was refused and why. A body that is not
 *   an object is told for both fields, because both are missing from it.
 */
export function parseReading(body: unknown): ParsedReading {
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  const parsed = shape.safeParse({ ...pick(members, 'co2'), ...pick(members, 'voc') });
  if (parsed.success) return { ok: true, reading: parsed.data };
  const errors = METRICS.flatMap(({ field }) => {
    const issue = parsed.error.issues.find(({ path }) => path[0] === field);
    return issue ? [{ field, detail: issue.message }] : [];
  });
  return { ok: false, errors };
}

/** The member if the object itself has it: what it inherits was never sent. */
function pick(members: object, field: string): Record<string, unknown> {
  return { [field]: Object.hasOwn(members, field) ? (members as Record<string, unknown>)[field] : undefined };
}
