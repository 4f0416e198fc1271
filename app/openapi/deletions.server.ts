/** The descriptions of `DELETE /api/data` and of `/api/restore`. */
import { z } from 'zod';
import type { DeletedReadings, RestoredReadings } from '../ingest/delete-readings.server';
import { type Deletion, KEPT_DAYS, MAX_DELETIONS } from '../store/deletion-store';
import {
  error,
  example,
  FROM,
  failure,
  GUARDED,
  invalidParameter,
  invalidQuery,
  json,
  noRead,
  noStore,
  type Operation,
  parameter,
  REFUSALS,
  type RouteDescription,
  refused,
  SENSOR,
  storeFailure,
  TO,
  WITH_KEY,
} from './operation.server';
import { count, schemaOf, time } from './schemas.server';

const restoreId = z.string().describe('The `id` for `POST /api/restore`.');
const until = time.describe('Until then, the readings can be brought back.');

const deletedReadings = schemaOf<DeletedReadings>()(
  'DeletedReadings',
  'The result of a deletion. Without deleted readings, `restore` and `until` are null.',
  z.object({ deleted: count, restore: restoreId.nullable(), until: until.nullable() }),
);

const restoredReadings = schemaOf<RestoredReadings>()(
  'RestoredReadings',
  'The result of a restoration.',
  z.object({
    restored: count,
    conflicts: count
      .optional()
      .describe(
        'The readings that stay deleted, because the sensor has others at their times. Left out if there are none.',
      ),
  }),
);

const deletion = schemaOf<Deletion>()(
  'Deletion',
  'A deletion whose readings can be brought back.',
  z.object({
    restore: restoreId,
    deleted: count.describe('The number of its readings.'),
    from: time.describe('The time of the first of them.'),
    to: time.describe('The time of the last of them.'),
    until,
  }),
);

const RESTORE = '528164093771';
const SPAN = { sensor: '', from: '2026-01-31T09:59:40Z', to: '2026-01-31T10:00:10Z' };
const UNTIL = '2026-02-07T10:00:00.000Z';
const UNKNOWN = { id: '100000000000' };

const tooMany = (query: Record<string, string>) =>
  failure(
    'Too many requests in a minute',
    { query, headers: WITH_KEY },
    429,
    'This address has sent more than 3 readings in a minute. Try again in 42 s, or raise POSTS_PER_MINUTE.',
    { settings: GUARDED, isRepeated: true },
  );

export const deleteData: Operation = {
  id: 'deleteReadings',
  summary: 'Deletes readings of a sensor.',
  description: `All of them, those of a span, or one. They are kept for ${KEPT_DAYS} days, during which \`POST /api/restore\` brings them back. Numbers and charts follow at once.`,
  tag: 'readings',
  needsKey: true,
  parameters: [
    { ...SENSOR, required: true },
    FROM,
    TO,
    parameter('id', z.int().min(1), 'The `id` of the reading to delete. Not together with `from` or `to`.'),
  ],
  answers: {
    200: json('The readings are deleted.', deletedReadings),
    400: invalidQuery,
    ...REFUSALS,
    404: error('There are no readings of this sensor, or it has none with this `id`.'),
    429: error('Too many requests in a minute, or too many wrong keys.', 'Retry-After'),
    503: noStore,
  },
  examples: [
    example('The readings of a span', { query: SPAN }, 200, { deleted: 3, restore: RESTORE, until: UNTIL }),
    failure(
      'An unknown sensor',
      { query: { sensor: 'Attic' } },
      404,
      'There are no readings of the sensor "Attic".',
    ),
    invalidParameter(
      { sensor: '', id: '2', to: SPAN.to },
      'to',
      "can't be combined with id: leave one of them out",
    ),
    ...refused(undefined, GUARDED),
    tooMany({ sensor: 'Attic' }),
    storeFailure({ query: SPAN }),
  ],
};

const NO_TABLE = "The database can't be used: no such table: deletions.";

export const restore: RouteDescription = {
  get: {
    id: 'listDeletions',
    summary: 'Lists the deletions of a sensor whose readings can be brought back.',
    description: `The last ${MAX_DELETIONS}, newest first.`,
    tag: 'readings',
    parameters: [{ ...SENSOR, required: true }],
    answers: { 200: json('The deletions.', z.array(deletion)), 400: invalidQuery, 503: noRead },
    examples: [
      example('The deletions of the unnamed sensor', { query: { sensor: '' } }, 200, [
        {
          restore: RESTORE,
          deleted: 3,
          from: '2026-01-31T09:59:45.000Z',
          to: '2026-01-31T10:00:00.000Z',
          until: UNTIL,
        },
      ]),
      invalidParameter({}, 'sensor', 'is missing: send the name of a sensor, or nothing for the unnamed one'),
      storeFailure({ query: { sensor: '' } }, NO_TABLE),
    ],
  },
  post: {
    id: 'restoreReadings',
    summary: 'Brings deleted readings back.',
    description:
      'With their times, values and ids, to the sensor that has their name now. A sensor that lost all of its readings is back with its settings.',
    tag: 'readings',
    needsKey: true,
    parameters: [{ ...parameter('id', z.string(), 'The `restore` of the deletion.'), required: true }],
    answers: {
      200: json('The readings are back.', restoredReadings),
      400: invalidQuery,
      ...REFUSALS,
      404: error('There is no such deletion, or its readings are back already.'),
      410: error(`The readings were kept for ${KEPT_DAYS} days, and are gone.`),
      429: error('Too many requests in a minute, or too many wrong keys.', 'Retry-After'),
      503: noStore,
    },
    examples: [
      failure(
        'An unknown deletion',
        { query: UNKNOWN },
        404,
        `There is no deletion "${UNKNOWN.id}", or its readings are back already.`,
      ),
      invalidParameter({}, 'id', 'is missing: send the restore of a deletion'),
      ...refused(undefined, GUARDED),
      tooMany(UNKNOWN),
      storeFailure({ query: UNKNOWN }, NO_TABLE),
    ],
  },
};
