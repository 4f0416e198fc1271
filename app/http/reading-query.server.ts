import { z } from 'zod';
import type { FieldError } from '../readings/field-error';

const wholeNumber = (least: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number, ${least} or more`)
    .transform(Number)
    .refine((value) => value >= least, `must be a whole number, ${least} or more`)
    .optional();

const schema = z.strictObject({ limit: wholeNumber(1), after: wholeNumber(0) });

export type ParsedQuery =
  | { ok: true; query: { limit?: number; after?: number } }
  | { ok: false; errors: FieldError[] };

/**
 * Parses `limit=N` and `after=ID`. Rejects any other parameter and any that is given twice: with a misspelt
 * `limit`, the client would otherwise get every reading.
 */
export function parseReadingQuery(parameters: URLSearchParams): ParsedQuery {
  const names = [...parameters.keys()];
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) {
    return { ok: false, errors: [{ field: repeated, detail: 'is given twice: send it once' }] };
  }
  const parsed = schema.safeParse(Object.fromEntries(parameters));
  if (parsed.success) return { ok: true, query: parsed.data };
  const errors = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((field) => ({ field, detail: 'is unknown: use limit or after' }))
      : [{ field: issue.path.join('.'), detail: issue.message }],
  );
  return { ok: false, errors };
}
