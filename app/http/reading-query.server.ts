import { z } from 'zod';
import type { FieldError } from '../readings/field-error';

const number = (least: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number, ${least} or more`)
    .transform(Number)
    .refine((value) => value >= least, `must be a whole number, ${least} or more`)
    .optional();

const schema = z.strictObject({ limit: number(1), after: number(0) });

export type ParsedQuery =
  | { ok: true; query: { limit?: number; after?: number } }
  | { ok: false; errors: FieldError[] };

/**
 * `limit=N` and `after=ID` of a query. Any other parameter, or one given twice, is refused: a misspelt
 * `limit` would otherwise bring every reading there is.
 */
export function parseReadingQuery(parameters: URLSearchParams): ParsedQuery {
  const names = [...parameters.keys()];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return { ok: false, errors: [{ field: twice, detail: 'is given twice' }] };
  const parsed = schema.safeParse(Object.fromEntries(parameters));
  if (parsed.success) return { ok: true, query: parsed.data };
  const errors = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((field) => ({ field, detail: 'is not known: use limit or after' }))
      : [{ field: issue.path.join('.'), detail: issue.message }],
  );
  return { ok: false, errors };
}
