import { z } from 'zod';
import type { Problem } from '../../http/problem.server';
import type { BatchReport } from '../../ingest/store-batch.server';
import type { Reading, ReadingInput } from '../../readings/reading';
import { batchError, fieldError, reading } from './readings.server';
import { schemaOf } from './schema.server';

const members = {
  type: z.string().describe('Always `about:blank`: `status` says which problem it is.'),
  title: z.string().describe("The status' name."),
  status: z.int().min(400).max(599).describe('The HTTP status.'),
  detail: z.string().describe('What went wrong and what to do, for a person.'),
};

const mayBeStored = z
  .literal(true)
  .optional()
  .describe('Set if readings are or may be stored that a retry could store twice.');

export const problem = schemaOf<Problem>()(
  'Problem',
  'An error, by RFC 9457.',
  z.object({ ...members, errors: z.array(fieldError).optional(), mayBeStored }),
);

type BatchProblem = Omit<Problem, 'errors'> & Partial<BatchReport>;

/** A batch that was refused, or that the store took only a part of. */
export const batchProblem = schemaOf<BatchProblem>()(
  'BatchProblem',
  'The error of a batch, with what is known of its readings.',
  z.object({
    ...members,
    stored: z.int().min(0).optional(),
    duplicates: z.int().min(0).optional(),
    refused: z.int().min(0).optional(),
    errors: z.array(batchError).optional(),
    mayBeStored,
  }),
);

type Conflict = Problem & { stored: Reading; sent: ReadingInput };

export const conflict = schemaOf<Conflict>()(
  'Conflict',
  'The error of a reading whose sensor and time are stored with other values, with both.',
  z.object({
    ...members,
    errors: z.array(fieldError).optional(),
    mayBeStored,
    stored: reading,
    sent: z
      .object({
        co2: z.number().nullable(),
        voc: z.number().nullable(),
        created_at: z.string().optional(),
        sensor: z.string().optional(),
      })
      .describe('The reading that was sent.'),
  }),
);
