import { z } from 'zod';
import { ARRAY_LIMIT } from '../ingest/receive-body.server';
import {
  batchError,
  conflictError,
  type Example,
  error,
  FROM,
  header,
  invalidParameter,
  invalidQuery,
  MISSING_KEY,
  noRead,
  type Operation,
  OTHER_SITE,
  parameter,
  problemBody,
  type RouteDescription,
  SENSOR,
  storeFailure,
  TO,
} from './operation.server';
import { batchReport, reading, readingSent, sensorSummary } from './schemas.server';

/** Settings of a server with a key and a low `POSTS_PER_MINUTE`. */
export const GUARDED = { WRITE_KEY: 'correct-horse-battery', POSTS_PER_MINUTE: '3' };
const WITH_KEY = { Authorization: `Bearer ${GUARDED.WRITE_KEY}` };

const BEDROOM = { sensor: 'Bedroom', created_at: '2026-01-31T10:00:00Z', co2: 862, voc: null };
const STORED_BEDROOM = {
  id: 2,
  co2: 862,
  voc: null,
  created_at: '2026-01-31T10:00:00.000Z',
  sensor: 'Bedroom',
};

const NOT_A_NUMBER = { field: 'co2', detail: 'must be a number, like 415 or "415.5"' };

export const TOO_MANY_READINGS: Example = {
  title: 'Too many readings in a minute',
  request: { headers: WITH_KEY },
  status: 429,
  answer: problemBody(
    429,
    'Too Many Requests',
    'This address has sent more than 3 readings in a minute. Try again in 42 s, or raise POSTS_PER_MINUTE.',
  ),
  settings: GUARDED,
  isRepeated: true,
};

const EXAMPLES: Example[] = [
  {
    title: 'One reading',
    request: { body: { co2: 415, voc: '120' } },
    status: 201,
    answer: { id: 1, co2: 415, voc: 120, created_at: '2026-01-02T10:00:00.000Z' },
  },
  {
    title: "A reading of a named sensor, with the sensor's time",
    request: { body: BEDROOM },
    status: 201,
    answer: STORED_BEDROOM,
  },
  { title: 'The same again', request: { body: BEDROOM }, status: 200, answer: STORED_BEDROOM },
  {
    title: 'Another value for the same sensor and time',
    request: { body: { ...BEDROOM, co2: 900 } },
    status: 409,
    answer: problemBody(
      409,
      'Conflict',
      'created_at is the time of a reading that is stored with co2 862 and voc null, not co2 900 and voc null.',
      { stored: STORED_BEDROOM, sent: { ...BEDROOM, co2: 900, created_at: '2026-01-31T10:00:00.000Z' } },
    ),
  },
  {
    title: 'Several readings as JSON',
    request: {
      body: [
        { created_at: '2026-01-31T09:59:45Z', co2: 858, voc: 117 },
        { created_at: '2026-01-31T10:00:00Z', co2: 859, voc: 118 },
      ],
    },
    status: 201,
    answer: { stored: 2, duplicates: 0, refused: 0, errors: [] },
  },
  {
    title: 'CSV with an invalid line',
    request: {
      headers: { 'Content-Type': 'text/csv' },
      body: 'created_at,co2,voc\n2026-01-31T10:00:15Z,860,118\n2026-01-31T10:00:30Z,oops,119\n',
    },
    status: 200,
    answer: { stored: 1, duplicates: 0, refused: 1, errors: [{ line: 3, errors: [NOT_A_NUMBER] }] },
  },
  {
    title: 'A reading a line',
    request: {
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: '{"created_at":1769853645,"co2":861,"voc":119}\n{"created_at":1769853660,"co2":862,"voc":119}\n',
    },
    status: 201,
    answer: { stored: 2, duplicates: 0, refused: 0, errors: [] },
  },
  {
    title: 'An invalid reading',
    request: { body: { co2: 'high', voc: 120 } },
    status: 400,
    answer: problemBody(400, 'Bad Request', 'The reading is invalid.', { errors: [NOT_A_NUMBER] }),
  },
  {
    title: 'A batch of invalid readings',
    request: { body: [{ co2: 'high', voc: 120 }] },
    status: 400,
    answer: problemBody(400, 'Bad Request', 'The reading is invalid.', {
      stored: 0,
      duplicates: 0,
      refused: 1,
      errors: [{ item: 0, errors: [NOT_A_NUMBER] }],
    }),
  },
  { ...MISSING_KEY, request: { body: { co2: 415, voc: 120 } }, settings: GUARDED },
  { ...OTHER_SITE, request: { ...OTHER_SITE.request, body: { co2: 415, voc: 120 } } },
  {
    title: 'More readings at once than a minute has room for',
    request: { headers: WITH_KEY, body: [1, 2, 3, 4].map((voc) => ({ co2: 415, voc })) },
    status: 413,
    answer: problemBody(
      413,
      'Payload Too Large',
      'The server stores at most 3 readings of this address in a minute. Send fewer at once, or raise POSTS_PER_MINUTE.',
    ),
    settings: GUARDED,
  },
  { ...TOO_MANY_READINGS, request: { headers: WITH_KEY, body: { co2: 415, voc: 120 } } },
  storeFailure({ body: { co2: 415, voc: 120 } }),
];

export const postData: Operation = {
  id: 'storeReadings',
  summary: 'Stores a reading, or several.',
  description:
    "One reading is answered with the stored reading, once it is on disk. The sensor and time identify a reading: posted again, it isn't stored twice, so a device may repeat a post until it is answered. Several readings are answered with a report; the valid ones are stored even if others are refused. `Content-Type` selects CSV or NDJSON; any other value means JSON.",
  tag: 'readings',
  needsKey: true,
  body: {
    description: `A reading of at most 16 KiB, or up to 8 MiB with several: a JSON array of at most ${ARRAY_LIMIT} readings, NDJSON, or CSV with a header line that names \`co2\`, \`voc\`, \`created_at\` and \`sensor\`.`,
    content: {
      'application/json': z.union([readingSent, z.array(readingSent).max(ARRAY_LIMIT)]),
      'application/x-ndjson': z.string(),
      'text/csv': z.string(),
    },
  },
  answers: {
    200: {
      description: 'The reading is a duplicate, or some readings of the batch were refused.',
      content: { 'application/json': z.union([reading, batchReport]) },
      headers: ['Airboard-Build'],
    },
    201: {
      description: 'The reading, or every reading of the batch, is stored.',
      content: { 'application/json': z.union([reading, batchReport]) },
      headers: ['Airboard-Build'],
    },
    400: batchError('The reading is invalid, or no reading of the batch could be read.'),
    401: error('The write key is missing or wrong.', 'WWW-Authenticate'),
    403: error('The request comes from a page of another site.'),
    409: conflictError('The sensor and time are stored with other values.'),
    413: error('The body is too large, or contains more readings than `POSTS_PER_MINUTE`.'),
    429: error('Too many readings in a minute, or a pause after wrong keys.', 'Retry-After'),
    503: batchError(
      "The store can't be used, or too many large posts arrive at once. For a batch, with the number of stored readings.",
      'Retry-After',
    ),
  },
  examples: EXAMPLES,
};

export const data: RouteDescription = {
  get: {
    id: 'listReadings',
    summary: 'Returns readings, oldest first.',
    description:
      'Without a parameter, every reading, streamed. If the store fails meanwhile, the connection is cut, so that a client can’t mistake a part for the whole.',
    tag: 'readings',
    parameters: [
      SENSOR,
      FROM,
      TO,
      parameter('limit', z.int().min(1), 'The most readings: the newest are returned.'),
      parameter(
        'after',
        z.int().min(0),
        'Only readings stored after the one with this id. They are ordered by id unless there is a `limit`.',
      ),
      parameter(
        'format',
        z.enum(['csv', 'json']),
        'The format. By default JSON, unless `Accept` prefers `text/csv`.',
      ),
    ],
    answers: {
      200: {
        description:
          'The readings. In CSV, an unknown value is an empty field, and a name that a spreadsheet would run as a formula gets an apostrophe in front.',
        content: { 'application/json': z.array(reading), 'text/csv': z.string() },
        headers: ['Airboard-Build', 'Content-Disposition'],
      },
      400: invalidQuery,
      503: noRead,
    },
    examples: [
      {
        title: 'The newest readings of a sensor',
        request: { query: { sensor: 'Bedroom', limit: '10' } },
        status: 200,
        type: 'application/json',
        answer: [{ id: 2, co2: 862, voc: null, created_at: '2026-01-31T10:00:00.000Z', sensor: 'Bedroom' }],
      },
      {
        title: 'A day as CSV',
        request: {
          query: {
            format: 'csv',
            sensor: 'Bedroom',
            from: '2026-01-31T00:00:00Z',
            to: '2026-02-01T00:00:00Z',
          },
        },
        status: 200,
        type: 'text/csv',
        answer: 'created_at,sensor,co2,voc,id\r\n2026-01-31T10:00:00.000Z,Bedroom,862,,2\r\n',
      },
      invalidParameter({ limit: 'all' }, 'limit', 'must be a whole number, 1 or more'),
      storeFailure({}),
    ],
  },
  post: postData,
};

export const live: RouteDescription = {
  get: {
    id: 'followReadings',
    summary: 'Streams new readings as server-sent events.',
    description:
      'Each event contains the id of a reading and `{"new": …}` with the reading. A comment line is sent every 15 s. A client that reconnects with the last id first gets the readings it missed; `EventSource` does so automatically.',
    tag: 'readings',
    parameters: [
      parameter(
        'sensor',
        SENSOR.schema,
        'Only the readings of this sensor. Other readings are sent as an id without data, to resume from.',
      ),
      parameter('after', z.int().min(0), 'First sends the readings that were stored after this id.'),
      header('Last-Event-ID', z.int().min(0), 'The same as `after`, which it overrides.'),
    ],
    answers: {
      200: {
        description: 'The stream.',
        content: { 'text/event-stream': z.string() },
      },
      400: invalidQuery,
      404: error('The readings are kept in Supabase, which sends inserts itself.'),
      503: error('As many streams are open as the maximum of open files allows.', 'Retry-After'),
    },
    examples: [
      {
        title: 'The readings after the first one, and new ones',
        request: { query: { after: '1', sensor: 'Bedroom' } },
        status: 200,
        answer:
          'retry: 1000\n: readings as they are stored\n\nid: 2\ndata: {"new":{"id":2,"co2":862,"voc":null,"created_at":"2026-01-31T10:00:00.000Z","sensor":"Bedroom"}}\n\n',
      },
      invalidParameter({ after: 'x' }, 'after', 'must be a whole number, 0 or more'),
      {
        title: 'A server that keeps its readings in Supabase',
        request: {},
        status: 404,
        answer: problemBody(
          404,
          'Not Found',
          "This server keeps its readings in Supabase, which sends inserts itself: listen to INSERT events on the table data, schema public, of the project's Realtime channel public:data. GET /api/data?after=ID returns the readings you missed.",
        ),
        settings: {
          SUPABASE_URL: 'https://REF.supabase.co',
          SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_KEY',
        },
      },
    ],
  },
};

export const sensors: RouteDescription = {
  get: {
    id: 'listSensors',
    summary: 'Lists the sensors with their newest readings.',
    description: 'The sensor with the last reading comes first.',
    tag: 'readings',
    answers: {
      200: {
        description: 'Every sensor that has readings.',
        content: { 'application/json': z.array(sensorSummary) },
        headers: ['Airboard-Build'],
      },
      400: invalidQuery,
      503: noRead,
    },
    examples: [
      {
        title: 'All sensors',
        request: {},
        status: 200,
        answer: [
          {
            name: '',
            newest: { id: 1, co2: 415, voc: 120, created_at: '2026-11-22T10:00:00.000Z' },
            first_heard: '2026-01-31T09:59:45.000Z',
            last_heard: '2026-11-22T10:00:00.000Z',
          },
          {
            name: 'Bedroom',
            newest: { id: 2, co2: 862, voc: null, created_at: '2026-01-31T10:00:00.000Z', sensor: 'Bedroom' },
            first_heard: '2026-01-31T10:00:00.000Z',
            last_heard: '2026-01-31T10:00:00.000Z',
          },
        ],
      },
      invalidParameter({ limit: '1' }, 'limit', 'is unknown: this address takes no parameters'),
      storeFailure({}),
    ],
  },
};
