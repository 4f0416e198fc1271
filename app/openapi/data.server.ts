/** The descriptions of `/api/data` and `/api/live`. */
import { z } from 'zod';
import { ARRAY_LIMIT } from '../ingest/batch-items.server';
import { deleteData } from './deletions.server';
import {
  batchError,
  conflictError,
  type Example,
  error,
  example,
  FROM,
  failure,
  GUARDED,
  header,
  invalidParameter,
  invalidQuery,
  json,
  noRead,
  type Operation,
  parameter,
  RAW,
  REFUSALS,
  type RouteDescription,
  refusedPosts,
  SENSOR,
  storeFailure,
  TO,
  WITH_KEY,
} from './operation.server';
import { batchReport, count, reading, readingSent, storedReading } from './schemas.server';

const BEDROOM = { sensor: 'Bedroom', created_at: '2026-01-31T10:00:00Z', co2: 862, voc: null };
export const STORED = {
  id: 2,
  co2: 862,
  voc: null,
  created_at: '2026-01-31T10:00:00.000Z',
  sensor: 'Bedroom',
};
const NOT_A_NUMBER = { field: 'co2', detail: 'must be a number, like 415 or "415.5"' };
const TWO_STORED = { stored: 2, duplicates: 0, refused: 0, errors: [] };
const ONE_REFUSED = { stored: 0, duplicates: 0, refused: 1, errors: [{ item: 0, errors: [NOT_A_NUMBER] }] };

const POSTS: Example[] = [
  example('One reading', { body: { co2: 415, voc: '120' } }, 201, {
    id: 1,
    co2: 415,
    voc: 120,
    created_at: '2026-01-02T10:00:00.000Z',
  }),
  example("A reading of a named sensor, with the sensor's time", { body: BEDROOM }, 201, STORED),
  example('The same again', { body: BEDROOM }, 200, STORED),
  // Among the readings that an example deletes, because findings about the room would follow it.
  example(
    'A value that no working sensor reports',
    { body: { co2: 65535, voc: 120, created_at: '2026-01-31T10:00:05Z' } },
    201,
    { id: 3, co2: 65535, voc: 120, created_at: '2026-01-31T10:00:05.000Z', doubtful: ['co2'] },
  ),
  failure(
    'Another value for the same sensor and time',
    { body: { ...BEDROOM, co2: 900 } },
    409,
    'created_at is the time of a reading that is stored with co2 862 and voc null, not co2 900 and voc null.',
    { members: { stored: STORED, sent: { ...BEDROOM, co2: 900, created_at: STORED.created_at } } },
  ),
  example(
    'Several readings as JSON',
    {
      body: [
        { created_at: '2026-01-31T09:59:45Z', co2: 858, voc: 117 },
        { created_at: '2026-01-31T10:00:00Z', co2: 859, voc: 118 },
      ],
    },
    201,
    TWO_STORED,
  ),
  example(
    'CSV with an invalid line',
    {
      headers: { 'Content-Type': 'text/csv' },
      body: 'created_at,co2,voc\n2026-01-31T10:00:15Z,860,118\n2026-01-31T10:00:30Z,oops,119\n',
    },
    200,
    { stored: 1, duplicates: 0, refused: 1, errors: [{ line: 3, errors: [NOT_A_NUMBER] }] },
  ),
  example(
    'A reading a line',
    {
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: '{"created_at":1769853645,"co2":861,"voc":119}\n{"created_at":1769853660,"co2":862,"voc":119}\n',
    },
    201,
    TWO_STORED,
  ),
  failure('An invalid reading', { body: { co2: 'high', voc: 120 } }, 400, 'The reading is invalid.', {
    members: { errors: [NOT_A_NUMBER] },
  }),
  failure('A misspelt metric', { body: { co2: 415, temp: 21.5 } }, 400, 'The reading is invalid.', {
    members: { errors: [{ field: 'temp', detail: 'is unknown: send it as "temperature" in °C' }] },
  }),
  failure(
    'A batch of invalid readings',
    { body: [{ co2: 'high', voc: 120 }] },
    400,
    'The reading is invalid.',
    {
      members: ONE_REFUSED,
    },
  ),
  failure(
    'More readings at once than a minute has room for',
    { headers: WITH_KEY, body: [1, 2, 3, 4].map((voc) => ({ co2: 415, voc })) },
    413,
    'The server stores at most 3 readings from this address in a minute. Send fewer at once, or raise POSTS_PER_MINUTE.',
    { settings: GUARDED },
  ),
  ...refusedPosts({ co2: 415, voc: 120 }),
];

const stored = z.union([storedReading, batchReport]);

const postData: Operation = {
  id: 'storeReadings',
  summary: 'Stores one or more readings.',
  description:
    "A single reading is answered with the stored reading, once it is on disk. The sensor and time identify a reading, so posting it again doesn't store it twice: a device may repeat a post until it gets an answer. Several readings are answered with a report; valid ones are stored even if others are refused. `Content-Type` selects CSV or NDJSON; any other value means JSON.",
  tag: 'readings',
  needsKey: true,
  body: {
    description: `One reading of at most 16 KiB, or at most 2 MiB with several readings: a JSON array of at most ${ARRAY_LIMIT} readings, NDJSON, or CSV with a header line that names \`created_at\`, \`sensor\` and any metrics.`,
    content: {
      'application/json': z.union([readingSent, z.array(readingSent).max(ARRAY_LIMIT)]),
      'application/x-ndjson': z.string(),
      'text/csv': z.string(),
    },
  },
  answers: {
    200: json('The reading is a duplicate, or some readings of the batch were refused.', stored),
    201: json('The reading, or every reading of the batch, is stored.', stored),
    400: batchError('The reading is invalid, or no reading of the batch could be read.'),
    ...REFUSALS,
    409: conflictError(
      'A reading with this sensor and time is stored with other values: `stored` and `sent` show both; without the `READ_KEY`, only `sent`. Or the sensor is new, and the server has `MAX_SENSORS`: `errors` names `sensor`.',
    ),
    413: error('The body is too large, or contains more readings than `POSTS_PER_MINUTE`.'),
    429: error('Too many readings in a minute, or too many wrong keys.', 'Retry-After'),
    503: batchError(
      "The store can't be used, or too many large posts arrive at once. For a batch, the answer contains the number of stored readings.",
      'Retry-After',
    ),
  },
  examples: POSTS,
};

export const data: RouteDescription = {
  get: {
    id: 'listReadings',
    summary: 'Returns readings, oldest first.',
    description:
      'Without parameters, streams every reading. If the store fails meanwhile, the server closes the connection, so that a client can’t mistake a part for the whole.',
    tag: 'readings',
    parameters: [
      SENSOR,
      FROM,
      TO,
      parameter('limit', z.int().min(1), 'The maximum number of readings. The newest are returned.'),
      parameter(
        'after',
        count,
        'Only readings stored after the one with this id. They are ordered by id unless there is a `limit`.',
      ),
      parameter(
        'format',
        z.enum(['csv', 'json']),
        'The format. By default JSON, unless `Accept` prefers `text/csv`.',
      ),
      RAW,
    ],
    answers: {
      200: {
        description:
          'The readings. CSV has columns for CO2, VOC and every other metric that the sensor (or any sensor, without `sensor`) has measured. An unknown value is an empty field. A name that a spreadsheet would run as a formula starts with an apostrophe.',
        content: { 'application/json': z.array(reading), 'text/csv': z.string() },
        headers: ['Airboard-Build', 'Airboard-Deletions', 'Content-Disposition'],
      },
      400: invalidQuery,
      503: noRead,
    },
    examples: [
      example(
        'The newest readings of a sensor',
        { query: { sensor: 'Bedroom', limit: '10' } },
        200,
        [STORED],
        { type: 'application/json' },
      ),
      example(
        'A day as CSV',
        {
          query: {
            format: 'csv',
            sensor: 'Bedroom',
            from: '2026-01-31T00:00:00Z',
            to: '2026-02-01T00:00:00Z',
          },
        },
        200,
        'created_at,sensor,co2,voc,id\r\n2026-01-31T10:00:00.000Z,Bedroom,862,,2\r\n',
        { type: 'text/csv' },
      ),
      invalidParameter({ limit: 'all' }, 'limit', 'must be a whole number, 1 or more'),
      storeFailure({}),
    ],
  },
  post: postData,
  delete: deleteData,
};

export const live: RouteDescription = {
  get: {
    id: 'followReadings',
    summary: 'Streams new readings as server-sent events.',
    description:
      'Each event contains the id of a reading and `{"new": …}` with the reading. A comment line is sent every 15 s. A client that reconnects with the last id gets the missed readings first; `EventSource` does so automatically.',
    tag: 'readings',
    parameters: [
      parameter(
        'sensor',
        SENSOR.schema,
        'Only the readings of this sensor. Other readings are sent as an id without data, to resume from.',
      ),
      parameter('after', count, 'First sends the readings that were stored after this id.'),
      header('Last-Event-ID', count, 'The same as `after`, which it overrides.'),
    ],
    answers: {
      200: { description: 'The stream.', content: { 'text/event-stream': z.string() } },
      400: invalidQuery,
      404: error('The readings are kept in Supabase, which sends inserts itself.'),
      503: error('The maximum number of open files allows no more streams.', 'Retry-After'),
    },
    examples: [
      example(
        'The readings after the first one, and new ones',
        { query: { after: '1', sensor: 'Bedroom' } },
        200,
        `retry: 1000\n: readings as they are stored\n\nid: 2\ndata: ${JSON.stringify({ new: STORED })}\n\n`,
      ),
      invalidParameter({ after: 'x' }, 'after', 'must be a whole number, 0 or more'),
      failure(
        'A server that keeps its readings in Supabase',
        {},
        404,
        "This server keeps its readings in Supabase, which sends inserts itself: listen to INSERT events on the table data, schema public, of the project's Realtime channel public:data. GET /api/data?after=ID returns the readings you missed.",
        {
          settings: {
            SUPABASE_URL: 'https://REF.supabase.co',
            SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_KEY',
          },
        },
      ),
    ],
  },
};
