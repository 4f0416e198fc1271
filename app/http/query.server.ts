import * as z from 'zod';
import { atBase } from '../base-path';
import type { FieldError } from '../readings/field-error';
import { MAX_STEPS, STEPS } from '../readings/history/history-step';
import { MAX_SENSORS, SENSORS_IN_PAGE } from '../readings/known-sensors';
import { METRICS } from '../readings/metric';
import { compareTimes } from '../readings/reading';
import { canBeSensor, MAX_NAME_CHARACTERS } from '../readings/sensor-name.js';
import { isTimeZone } from '../readings/time/local-time';
import { formatReadingTime, parseAddressTime } from '../readings/time/reading-time';
import type { ApiRequest, ApiResponse } from './answer';
import { invalidQuery } from './problem.server';

const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const rule =
    most < Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${least} to ${most}`
      : `must be a whole number, ${least} or more`;
  return z.string().transform((text, context) => {
    const value = Number(text);
    const isWhole = /^\d+$/.test(text);
    if (isWhole && least <= value && value <= most) return value;
    const isTooLarge = isWhole && value > Number.MAX_SAFE_INTEGER;
    context.addIssue(isTooLarge ? `must be ${Math.min(most, Number.MAX_SAFE_INTEGER)} at most` : rule);
    return z.NEVER;
  });
};

const EXAMPLE = '2026-11-21T00:00:00Z or 2026-11-21T00:00:00+01:00';

/** An offset from UTC of less than 24 hours. A plus sign that isn't encoded arrives as a space. */
const OFFSET = /[+ -]([01]\d|2[0-3])(:?[0-5]\d)?$/;

const time = z.string().transform((text, context) => {
  const time = parseAddressTime(text);
  if (time !== null) return formatReadingTime(time);
  if (parseAddressTime(text.replace(OFFSET, 'Z')) !== null) {
    context.addIssue(`must be in the years 100 to 9999 in UTC, not "${text}"`);
    return z.NEVER;
  }
  const missing = /^\d{4}-\d\d-\d\d$/.test(text) ? 'a time and an offset from UTC' : 'an offset from UTC';
  const isLocal = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d[\d:.]*)?$/.test(text);
  context.addIssue(
    isLocal
      ? `needs ${missing}: write it like ${EXAMPLE}, not "${text}"`
      : `must be a time like ${EXAMPLE}, not "${text}"`,
  );
  return z.NEVER;
});

const MAX_GROUP = 200;
const FIELDS = METRICS.map(({ field }) => field);

const PARAMETERS = {
  sensor: z
    .string()
    .trim()
    .refine(
      canBeSensor,
      `must be a name of at most ${MAX_NAME_CHARACTERS} characters, without control characters`,
    ),
  from: time,
  to: time,
  at: time,
  limit: wholeNumber(1),
  after: wholeNumber(0),
  id: wholeNumber(1),
  format: z.enum(['csv', 'json'], 'must be csv or json'),
  raw: z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true'),
  points: wholeNumber(1, MAX_STEPS),
  step: z
    .enum(STEPS.map(String), `must be one of these numbers of seconds: ${STEPS.join(', ')}`)
    .transform(Number),
  zone: z.string().refine(isTimeZone, {
    error: ({ input }) => `must be a time zone such as Europe/Berlin, not "${input}"`,
  }),
  by: z.enum(['hour', 'day'], 'must be hour or day'),
  group: z.string().trim().max(MAX_GROUP, `must be at most ${MAX_GROUP} characters`),
  metric: z.enum(FIELDS, `must be ${disjunction([...FIELDS])}`),
  before: z.enum(['good', 'moderate', 'poor', 'silent'], 'must be good, moderate, poor or silent'),
};

/** The parameters of a list of sensors. `after` is the name of the last sensor of the page before. */
const SENSOR_LIST = {
  limit: wholeNumber(1, SENSORS_IN_PAGE),
  after: PARAMETERS.sensor,
  newest: wholeNumber(1, MAX_SENSORS),
};

type Name = keyof typeof PARAMETERS;
type Shape = Record<string, z.ZodType>;
type Query<Known extends Shape> = { [Parameter in keyof Known]?: z.output<Known[Parameter]> };

type ParsedQuery<Known extends Shape> =
  | { ok: true; query: Query<Known> }
  | { ok: false; errors: FieldError[] };

/**
 * Returns a parser for these query parameters. `from` and `to` become UTC, as in readings. An empty `sensor` means the
 * unnamed sensor. Unknown and repeated parameters are rejected: a misspelt `limit` would return every reading.
 */
export function readingQueryParser<Known extends Name = never>(...known: Known[]) {
  const shape = Object.fromEntries(known.map((name) => [name, PARAMETERS[name]]));
  return queryParser(shape as Pick<typeof PARAMETERS, Known>);
}

/** Like `readingQueryParser`, for a list of sensors in pages. */
export function sensorListParser<Listed extends keyof typeof SENSOR_LIST, Known extends Name>(
  listed: Listed[],
  ...known: Known[]
) {
  const shape = Object.fromEntries([
    ...listed.map((name) => [name, SENSOR_LIST[name]]),
    ...known.map((name) => [name, PARAMETERS[name]]),
  ]);
  return queryParser(shape as Pick<typeof SENSOR_LIST, Listed> & Pick<typeof PARAMETERS, Known>);
}

function queryParser<Known extends Shape>(shape: Known) {
  const known = Object.keys(shape);
  const schema = z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, type.optional()])),
  );
  return (parameters: URLSearchParams): ParsedQuery<Known> => {
    const repeated = repeatedParameter(parameters);
    if (repeated) return { ok: false, errors: [repeated] };
    const parsed = schema.safeParse(Object.fromEntries(parameters));
    if (parsed.success) {
      const { from, to } = parsed.data as Query<typeof PARAMETERS>;
      if (from !== undefined && to !== undefined && compareTimes(from, to) > 0) {
        const detail = `is after to: ${from} is later than ${to}`;
        return { ok: false, errors: [{ field: 'from', detail }] };
      }
      return { ok: true, query: parsed.data as Query<Known> };
    }
    const errors = parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => unknownParameter(name, known))
        : [{ field: issue.path.join('.'), detail: issue.message }],
    );
    return { ok: false, errors };
  };
}

/**
 * Rejects a post with an unknown or repeated parameter: a misspelt `sensor` would store readings without a name.
 * The values are validated later, with the reading.
 */
export function refuseParameters(
  { url: { searchParams } }: ApiRequest,
  known: string[] = [],
): ApiResponse | null {
  const repeated = repeatedParameter(searchParams);
  if (repeated) return invalidQuery([repeated]);
  const unknown = [...searchParams.keys()].filter((name) => !known.includes(name));
  return unknown.length > 0 ? invalidQuery(unknown.map((name) => unknownParameter(name, known))) : null;
}

function repeatedParameter(parameters: URLSearchParams): FieldError | undefined {
  const names = [...parameters.keys()];
  const field = names.find((name, i) => names.indexOf(name) !== i);
  return field === undefined ? undefined : { field, detail: 'is given twice: send it once' };
}

function unknownParameter(field: string, known: string[]): FieldError {
  const advice = known.length > 0 ? `use ${disjunction(known)}` : 'this address takes no parameters';
  return { field, detail: `is unknown: ${advice}` };
}

/** Returns `a`, `a or b`, or `a, b, or c`. `Intl.ListFormat` would load ICU, which takes 8 MB. */
function disjunction(names: string[]): string {
  if (names.length < 3) return names.join(' or ');
  return `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`;
}

/** The error of a query that needs a sensor. The name may be empty. */
export const MISSING_SENSOR: FieldError = {
  field: 'sensor',
  detail: 'is missing: send the name of a sensor, or nothing for the unnamed one',
};

/** Returns the error of a query with parameters that exclude each other, or null. */
export function excludedParameter(query: object, one: string, others: readonly string[]): FieldError | null {
  const asked = Object.keys(query);
  const other = asked.includes(one) ? others.find((name) => asked.includes(name)) : undefined;
  return other ? { field: other, detail: `can't be combined with ${one}: leave one of them out` } : null;
}

/**
 * Returns a `Link` (RFC 8288) to the next page of a list of sensors; no header after the last page.
 *
 * @param names the sensors of the page, and the next one if there is one
 */
export function linkToNext(path: string, names: readonly string[], limit: number): Record<string, string> {
  const last = names[limit - 1];
  if (last === undefined || names.length <= limit) return {};
  return {
    Link: `<${atBase(path)}?${new URLSearchParams({ limit: String(limit), after: last })}>; rel="next"`,
  };
}
