import { z } from 'zod';
import { NUMBER_TEXT_LIMIT } from '../../ingest/parse-reading.server';
import type { BatchError, BatchReport } from '../../ingest/store-batch.server';
import { ERROR_LIMIT } from '../../ingest/store-batch.server';
import type { RefusedReport } from '../../ingest/take-post.server';
import type { FieldError } from '../../readings/field-error';
import type { Reading, ReadingInput, SensorSummary } from '../../readings/reading';
import { MAX_NAME_CHARACTERS } from '../../readings/sensor-name.js';
import { schemaOf, sensorName, time } from './schema.server';

const decimalText = z
  .string()
  .max(NUMBER_TEXT_LIMIT)
  .regex(/^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/)
  .describe('Text of a decimal number.');

const metricSent = (unit: string) =>
  z.union([z.number(), decimalText, z.null()]).describe(`${unit}; null if the sensor doesn't measure it.`);

/** The members that a reading may be sent with. */
type Sent = {
  [Member in keyof ReadingInput]: Member extends 'sensor' ? string | null : string | number | null;
};

export const readingSent = schemaOf<Sent>()(
  'ReadingSent',
  'A reading to store. One of `co2` and `voc` may be null; other members are ignored.',
  z.object({
    co2: metricSent('PPM'),
    voc: metricSent('PPB'),
    created_at: z
      .union([z.string().max(64), z.number(), z.null()])
      .optional()
      .describe(
        "When the sensor measured: ISO 8601 with an offset or `Z`, or Unix time in seconds or milliseconds, as a number or text. Not before 2000, and at most 60 s ahead of the server's clock. Left out, the reading gets the server's time.",
      ),
    sensor: z
      .union([z.string(), z.null()])
      .optional()
      .describe(
        `A name of 1 to ${MAX_NAME_CHARACTERS} characters, without control characters and invisible ones such as U+202E. A new name makes a new sensor. Left out, the reading is of the unnamed sensor.`,
      ),
  }),
);

export const reading = schemaOf<Reading>()(
  'Reading',
  'A stored reading.',
  z.object({
    id: z.int().min(1).describe('Unique, in the order of storing.'),
    co2: z.number().nullable().describe('PPM.'),
    voc: z.number().nullable().describe('PPB.'),
    created_at: time.describe(
      'When it was measured: ISO 8601 in UTC with `Z`, with milliseconds where they are exact, otherwise with six decimals.',
    ),
    sensor: z.string().min(1).optional().describe("The sensor's name; left out for the unnamed one."),
  }),
);

export const sensorSummary = schemaOf<SensorSummary>()(
  'Sensor',
  'A sensor that has readings.',
  z.object({
    name: sensorName,
    newest: reading,
    first_heard: time.describe('`created_at` of its first reading.'),
    last_heard: time.describe('`created_at` of its newest reading.'),
  }),
);

export const fieldError = schemaOf<FieldError>()(
  'FieldError',
  'What is wrong with a member or a parameter.',
  z.object({
    field: z.string().describe('The name of the member or parameter.'),
    detail: z.string().describe('What is wrong, and what to send.'),
  }),
);

const errors = z.array(fieldError);

export const batchError = schemaOf<BatchError>()(
  'BatchError',
  'A refused reading of a batch.',
  z.union([
    z.object({ item: z.int().min(0).describe('Its position in the array, from 0.'), errors }),
    z.object({ line: z.int().min(1).describe('Its line, from 1.'), errors }),
  ]),
);

const reportMembers = {
  stored: z.int().min(0),
  duplicates: z.int().min(0).describe('Readings that were known with the same values.'),
  refused: z.int().min(0).describe('Readings that are invalid, or known with other values.'),
  errors: z.array(batchError).max(ERROR_LIMIT).describe(`The first ${ERROR_LIMIT} of the refused.`),
};

export const batchReport = schemaOf<BatchReport>()(
  'BatchReport',
  'The outcome of a batch.',
  z.object(reportMembers),
);

export const refusedReport = schemaOf<RefusedReport>()(
  'RefusedReport',
  'A reading that will never be accepted.',
  z.object({
    stored: z.literal(0),
    duplicates: z.literal(0),
    refused: z.literal(1),
    detail: z.string().describe('Why.'),
  }),
);
