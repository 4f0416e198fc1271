/** JSON Schemas of bodies, generated from zod schemas. The compiler compares these with the code's own types. */
import { z } from 'zod';
import type { Problem } from '../http/problem.server';
import { NO_VALUE_WORDS } from '../ingest/parse-json';
import { NUMBER_TEXT_LIMIT } from '../ingest/parse-reading.server';
import { type BatchError, type BatchReport, ERROR_LIMIT } from '../ingest/store-batch.server';
import type { RefusedReport, StoredReading } from '../ingest/take-post.server';
import { MAX_CORRECTIONS } from '../readings/correction';
import type { FieldError } from '../readings/field-error';
import { type CoreField, isCore, METRICS, type Metric, type MetricField } from '../readings/metric';
import { MAX_NOTE_CHARACTERS } from '../readings/note';
import type { Reading, ReadingInput, SensorSummary } from '../readings/reading';
import { MAX_NAME_CHARACTERS } from '../readings/sensor-name.js';
import {
  LEAST_RAW_DAYS,
  membersOf as limitsOf,
  MAX_GROUP_CHARACTERS,
  MAX_SILENT_SECONDS,
  MOST_RAW_DAYS,
  PLACES,
  type SensorSettings,
} from '../readings/sensor-settings';

/** A JSON Schema, or another object of an OpenAPI document. */
export type Json = { [member: string]: unknown };

const named = z.registry<{ id: string }>();

/**
 * Names a schema, which then becomes one of the document's `components`. `Type` is the type that the code uses. If it gains or
 * loses a member, the schema no longer compiles until it is updated.
 */
export function schemaOf<Type>() {
  return <Schema extends z.ZodType<Type>>(
    id: string,
    description: string,
    schema: Type extends z.output<Schema> ? Schema : never,
  ): Schema => {
    // The parameter's type is `never` if the schema doesn't fit, so the call doesn't compile.
    const described = (schema as Schema).describe(description);
    named.add(described, { id });
    return described;
  };
}

const converted = new WeakMap<z.ZodType, Json>();

/** Converts to JSON Schema (draft 2020-12, as in OpenAPI 3.1), with references to named schemas. Cached, because it takes 1 ms. */
export function jsonSchema(schema: z.ZodType): Json {
  let json = converted.get(schema);
  if (!json) {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema, { io: 'input', metadata: named });
    json = JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
    converted.set(schema, json);
  }
  return json;
}

let components: Record<string, Json> | undefined;

export function namedSchemas(): Record<string, Json> {
  if (!components) {
    const { schemas } = z.toJSONSchema(named, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
    const entries = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]);
    components = Object.fromEntries(entries) as Record<string, Json>;
  }
  return components;
}

/** Describes a schema in a few words: `integer, 1 to 2000`, `"hour" or "day"`, `Reading or null`. */
export function describeValues(schema: Json): string {
  const { $ref, type, minimum, maximum, maxItems, maxLength, enum: values } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? '';
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.anyOf) return alternativesOf(schema).map(describeValues).join(' or ');
  if (Array.isArray(type)) return type.map((type) => describeValues({ type })).join(' or ');
  if (type === 'array') {
    const most = maxItems === undefined ? '' : ` at most ${maxItems}`;
    return `array of${most} ${describeValues(itemsOf(schema))}`;
  }
  if (type === 'string') return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
  // zod adds the bounds of safe integers, which aren't worth showing.
  const [from, to] = [minimum, maximum].map((bound) =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined,
  );
  if (from !== undefined && to !== undefined) return `${type}, ${from} to ${to}`;
  if (to !== undefined) return `${type}, at most ${to}`;
  return from === undefined ? String(type) : `${type}, at least ${from}`;
}

/** Returns the members of an object schema, with the objects that each may contain. */
export function membersOf({ properties, required }: Json) {
  const names: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isJson(properties) ? properties : {}).map(([name, value]) => {
    const member = isJson(value) ? value : {};
    const objects = alternativesOf(itemsOf(member)).filter((part) => part.properties);
    return { name, member, isRequired: names.includes(name), objects };
  });
}

/** Returns a schema's alternatives, or the schema itself. An `anyOf` beside `properties` only lists required members. */
export function alternativesOf(schema: Json): Json[] {
  return Array.isArray(schema.anyOf) && !schema.properties ? schema.anyOf.filter(isJson) : [schema];
}

/** Returns the schema of an array's items, or of a tuple's first item. */
function itemsOf(schema: Json): Json {
  if (isJson(schema.items)) return schema.items;
  const [first] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return isJson(first) ? first : schema;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const text = (description: string) => z.string().describe(description);

/** A time in an answer. */
export const time = z.iso.datetime().describe('ISO 8601 in UTC with `Z`.');
export const sensorName = text("The sensor's name; empty for the unnamed one.");
export const count = z.int().min(0);

/** A member for each metric. All except CO2 and VOC are optional. */
type MetricMembers<Core extends z.ZodType, Other extends z.ZodType> = Record<CoreField, Core> &
  Record<Exclude<MetricField, CoreField>, z.ZodOptional<Other>>;

export const forMetrics = <Schema extends z.ZodType>(schemaOf: (metric: Metric) => Schema) =>
  Object.fromEntries(
    METRICS.map((metric) => {
      const schema = schemaOf(metric);
      return [metric.field, isCore(metric.field) ? schema : schema.optional()];
    }),
  ) as MetricMembers<Schema, Schema>;

/**
 * Returns a nullable member for each metric. All except CO2 and VOC are optional.
 *
 * @param levels the schema for metrics with thresholds
 * @param measured the schema for metrics without thresholds
 */
export const byMetric = <Levels extends z.ZodType, Measured extends z.ZodType = Levels>(
  levels: Levels,
  measured?: Measured,
) =>
  // The cast is safe, because the table of metrics decides which of the two schemas a metric gets.
  forMetrics(({ threshold }) =>
    z.union([threshold ? levels : (measured ?? levels), z.null()]),
  ) as MetricMembers<
    z.ZodUnion<readonly [Levels, z.ZodNull]>,
    z.ZodUnion<readonly [Levels | Measured, z.ZodNull]>
  >;

export const values = forMetrics(() => z.number().nullable());

/** JSON Schema has no flag that ignores case. */
const anyCase = (word: string) =>
  word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`).replace('/', '\\/');

const decimalText = text('Text of a decimal number, or `nan` and the like for a value that was not measured.')
  .max(NUMBER_TEXT_LIMIT)
  .regex(
    new RegExp(
      `^\\s*[+-]?((\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?|${NO_VALUE_WORDS.map(anyCase).join('|')})\\s*$`,
    ),
  );

/** The members of a posted reading. */
type Sent = {
  [Member in keyof ReadingInput]?: Member extends 'sensor' ? string | null : string | number | null;
};

export const readingSent = schemaOf<Sent>()(
  'ReadingSent',
  "A reading to store, with at least one metric that isn't null. A metric that is left out is not measured. Another spelling of a metric's name, such as `CO2` or `temp`, is an error. Other unknown members are ignored, and counted in the answer. So is a metric without a value, such as `nan`, beside one that has a value.",
  z
    .object({
      ...forMetrics(({ unit }) =>
        z
          .union([z.number(), decimalText, z.null()])
          .optional()
          .describe(`${unit || 'An index'}; null if the sensor doesn't measure it.`),
      ),
      created_at: z
        .union([z.string().max(64), z.number(), z.null()])
        .optional()
        .describe(
          "The time of the measurement: ISO 8601 with an offset or `Z`, or Unix time in seconds or milliseconds, as a number or text. Not before 2000, and at most 60 s ahead of the server's clock; up to 15 minutes ahead, the answer is 503. By default, the server's time.",
        ),
      sensor: z
        .union([z.string(), z.null()])
        .optional()
        .describe(
          `A name of 1 to ${MAX_NAME_CHARACTERS} characters, without control characters. A new name creates a sensor, up to MAX_SENSORS. It may have no hidden characters such as U+200D, and must not look the same as a stored name. Without a name, the reading belongs to the unnamed sensor.`,
        ),
    })
    .meta({
      anyOf: METRICS.map(notNull),
    }),
);

function notNull({ field }: Metric) {
  return { properties: { [field]: { not: { type: 'null' } } }, required: [field] };
}

export const reading = schemaOf<Reading>()(
  'Reading',
  'A stored reading.',
  z.object({
    id: z.int().min(1).describe('Unique, in the order of storing.'),
    ...forMetrics(({ unit }) =>
      z
        .number()
        .nullable()
        .describe(`${unit || 'An index'}.`),
    ),
    created_at: time.describe(
      'The time of the measurement: ISO 8601 in UTC with `Z`, with three decimals if these are exact, otherwise with six.',
    ),
    sensor: text("The sensor's name; left out for the unnamed one.").min(1).optional(),
    raw: z
      .object(Object.fromEntries(METRICS.map(({ field }) => [field, z.number().optional()])))
      .optional()
      .describe(
        'The values that the sensor\'s corrections have changed, as posted, such as `{"co2": 464}`. Left out if there are none.',
      ),
  }),
);

const ignored = count
  .optional()
  .describe(
    'The number of ignored members: unknown ones, and metrics without a value such as `nan`. Left out if there were none.',
  );

export const storedReading = schemaOf<StoredReading>()(
  'StoredReading',
  'The stored reading of a post.',
  reading.extend({
    ignored,
    doubtful: z
      .array(z.enum(METRICS.map(({ field }) => field)))
      .optional()
      .describe(
        'The metrics whose values no working sensor reports. They are stored, but are no measurements. Left out if there are none.',
      ),
  }),
);

const limit = z.number().optional();
const ofEach = <Schema extends z.ZodType>(schemaFor: (metric: Metric) => Schema | null) =>
  z.object(
    Object.fromEntries(
      METRICS.flatMap((metric) => {
        const schema = schemaFor(metric);
        return schema ? [[metric.field, schema]] : [];
      }),
    ) as Record<MetricField, Schema>,
  );
export const ownThresholds = ofEach((metric) => {
  const limits = metric.comfort
    ? z
        .object({ poor_below: limit, from: limit, to: limit, poor_from: limit })
        .describe(
          `Good from \`from\` on and below \`to\`; beyond, ${metric.comfort.low} or ${metric.comfort.high}. Poor below \`poor_below\` and from \`poor_from\` on.`,
        )
    : z
        .object({ good: z.number(), moderate: z.number() })
        .describe('Good below `good`, moderate below `moderate`.');
  return limitsOf(metric) ? limits.optional() : null;
});

const settings = {
  group: z.string().max(MAX_GROUP_CHARACTERS).describe('A path such as `School/Floor 2`; empty for none.'),
  place: z.enum(PLACES),
  note: z.string().max(MAX_NOTE_CHARACTERS).describe('A remark about the place, on one line.'),
  is_hidden: z.boolean().describe('True to leave the sensor out of the lists of pages.'),
  thresholds: ownThresholds.describe(
    "The sensor's own thresholds. The settings of the server apply to all other metrics.",
  ),
  silent_after_seconds: z
    .union([z.number().min(1).max(MAX_SILENT_SECONDS), z.null()])
    .describe("The sensor's own `SILENT_AFTER`; null for that of the server."),
  corrections: z
    .array(
      z.object({
        metric: z.enum(METRICS.map(({ field }) => field)),
        offset: z.number().describe('In the unit of the metric.'),
        factor: z.number(),
        from: time,
      }),
    )
    .describe(
      'From `from` on, until the next correction of the metric, a value is `factor * posted + offset`. By metric and time.',
    ),
  raw_days: z
    .union([z.int().min(0).max(MOST_RAW_DAYS), z.null()])
    .describe(
      `The sensor's own \`RAW_DAYS\`, ${LEAST_RAW_DAYS} or more, or 0 to keep all raw readings; null for that of the server.`,
    ),
};

const changed = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()]).optional();

/** The members of a change; null restores a default. */
type SentSettings = { name?: string } & { [Member in keyof SensorSettings]?: unknown };

export const settingsSent = schemaOf<SentSettings>()(
  'SensorChange',
  'The members of a sensor to change.',
  z.object({
    name: z
      .string()
      .max(MAX_NAME_CHARACTERS)
      .optional()
      .describe('A new name; empty for the unnamed sensor.'),
    group: changed(settings.group),
    place: changed(settings.place),
    note: changed(settings.note),
    is_hidden: changed(settings.is_hidden),
    thresholds: changed(z.record(z.string(), z.unknown())),
    silent_after_seconds: settings.silent_after_seconds.optional(),
    corrections: changed(z.array(z.record(z.string(), z.unknown())).max(MAX_CORRECTIONS)).describe(
      'All corrections: others end. `offset` is 0 and `factor` 1 if left out.',
    ),
    raw_days: settings.raw_days.optional(),
  }) as z.ZodType<SentSettings>,
);

export const sensorSummary = schemaOf<SensorSummary>()(
  'Sensor',
  'A sensor that has readings, and its settings.',
  z.object({
    name: sensorName,
    newest: reading,
    first_heard: time.describe("`created_at` of the sensor's first reading."),
    last_heard: time.describe("`created_at` of the sensor's newest reading."),
    group: settings.group.optional(),
    place: settings.place.optional(),
    note: settings.note.optional(),
    is_hidden: settings.is_hidden.optional(),
    thresholds: settings.thresholds.optional(),
    silent_after_seconds: settings.silent_after_seconds.optional(),
    corrections: settings.corrections.optional(),
    is_recomputing: z
      .literal(true)
      .optional()
      .describe('While stored readings are corrected again, after a change of `corrections`.'),
    raw_days: settings.raw_days.optional(),
  }),
);

const errors = z.array(
  schemaOf<FieldError>()(
    'FieldError',
    'An invalid member or parameter.',
    z.object({
      field: text('The name of the member or parameter.'),
      detail: text('The fault, and what to send instead.'),
    }),
  ),
);

const errorsOfBatch = z.array(
  schemaOf<BatchError>()(
    'BatchError',
    'A refused reading of a batch.',
    z.union([
      z.object({ item: count.describe('The position in the array, from 0.'), errors }),
      z.object({ line: z.int().min(1).describe('The line number, from 1.'), errors }),
    ]),
  ),
);

export const batchReport = schemaOf<BatchReport>()(
  'BatchReport',
  'The outcome of a batch.',
  z.object({
    stored: count,
    duplicates: count.describe('The number of readings that were already stored with the same values.'),
    refused: count.describe(
      'The number of readings that are invalid, or already stored with other values; in a 503, also of those whose times are ahead.',
    ),
    ignored,
    doubtful: count
      .optional()
      .describe(
        'The number of values that no working sensor reports. They are stored, but are no measurements. Left out if there are none.',
      ),
    errors: errorsOfBatch.max(ERROR_LIMIT).describe(`The first ${ERROR_LIMIT} refused readings.`),
  }),
);

export const refusedReport = schemaOf<RefusedReport>()(
  'RefusedReport',
  'A reading that is refused for good.',
  z.object({
    stored: z.literal(0),
    duplicates: z.literal(0),
    refused: z.literal(1),
    detail: text('The reason.'),
  }),
);

const members = {
  type: text('Always `about:blank`: `status` identifies the problem.'),
  title: text('The name of the status.'),
  status: z.int().min(400).max(599).describe('The HTTP status.'),
  detail: text('What went wrong and what to do, for a person.'),
};
const mayBeStored = z.literal(true).optional().describe('Set if a retry could store readings twice.');

const usual = z.object({ ...members, errors: errors.optional(), mayBeStored });

export const problem = schemaOf<Problem>()('Problem', 'An error, by RFC 9457.', usual);

export const problemOfBatch = schemaOf<Omit<Problem, 'errors'> & Partial<BatchReport>>()(
  'BatchProblem',
  'The error for a batch that was refused or only partly stored.',
  z.object({
    ...members,
    ...{ stored: count.optional(), duplicates: count.optional(), refused: count.optional() },
    ignored,
    doubtful: count.optional(),
    errors: errorsOfBatch.optional(),
    mayBeStored,
  }),
);

/** The members by which clients of InfluxDB 2 and 1 name an error. */
const influxMembers = { code: z.string(), message: z.string(), error: z.string() };

export const influxProblem = schemaOf<Problem & { code: string; message: string; error: string }>()(
  'InfluxProblem',
  'The error for a post of line protocol, with the members of InfluxDB 2 (`code`, `message`) and 1 (`error`).',
  usual.extend(influxMembers),
);

export const influxProblemOfBatch = schemaOf<
  Omit<Problem, 'errors'> & Partial<BatchReport> & { code: string; message: string; error: string }
>()(
  'InfluxBatchProblem',
  'The same for lines of which some were refused or not stored.',
  problemOfBatch.extend(influxMembers),
);

export const conflict = schemaOf<Problem & { stored?: Reading; sent: ReadingInput }>()(
  'Conflict',
  'The error for a reading whose sensor and time are already stored with other values.',
  usual.extend({
    stored: reading.optional().describe('The stored reading, for a sender that may read.'),
    sent: z
      .object({ ...values, created_at: z.string().optional(), sensor: z.string().optional() })
      .describe('The posted reading.'),
  }),
);
