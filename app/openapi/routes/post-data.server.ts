import { z } from 'zod';
import { ARRAY_LIMIT } from '../../ingest/receive-body.server';
import { batchError, conflictError, error, MISSING_KEY, OTHER_SITE, storeFailure } from '../answers.server';
import type { Example, Operation } from '../operation.server';
import { batchReport, reading, readingSent } from '../schemas/readings.server';

/** Settings of a server that takes few readings, and only with a key. */
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

const problem = (status: number, title: string, detail: string, members: object = {}) => ({
  type: 'about:blank',
  title,
  status,
  detail,
  ...members,
});

const NOT_A_NUMBER = { field: 'co2', detail: 'must be a number, like 415 or "415.5"' };

/** The error of one reading too many, as its example. */
export const TOO_MANY_READINGS: Example = {
  title: 'Too many readings in a minute',
  request: { headers: WITH_KEY },
  status: 429,
  answer: problem(
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
    answer: problem(
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
    answer: problem(400, 'Bad Request', 'The reading is invalid.', { errors: [NOT_A_NUMBER] }),
  },
  {
    title: 'A batch of invalid readings',
    request: { body: [{ co2: 'high', voc: 120 }] },
    status: 400,
    answer: problem(400, 'Bad Request', 'The reading is invalid.', {
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
    answer: problem(
      413,
      'Payload Too Large',
      'The server stores at most 3 readings of this address in a minute. Send fewer at once, or raise POSTS_PER_MINUTE.',
    ),
    settings: GUARDED,
  },
  { ...TOO_MANY_READINGS, request: { headers: WITH_KEY, body: { co2: 415, voc: 120 } } },
  storeFailure({ body: { co2: 415, voc: 120 } }),
];

/** POST /api/data. */
export const postData: Operation = {
  id: 'storeReadings',
  summary: 'Stores a reading, or several.',
  description:
    "One reading is answered with the stored row, once it is on disk. A reading is known by its sensor and time: posted again it isn't stored twice, so a device may repeat a post until it is answered. Several readings are answered with a report; those that are valid are stored, whatever becomes of the others. `Content-Type` decides between CSV, NDJSON and JSON, which is the default whatever it says.",
  tag: 'readings',
  needsKey: true,
  body: {
    description: `A reading of at most 16 KiB, or up to 8 MiB with several: a JSON array of at most ${ARRAY_LIMIT} readings, a line of JSON for each, or CSV with a header line that names \`co2\`, \`voc\`, \`created_at\` and \`sensor\`.`,
    content: {
      'application/json': z.union([readingSent, z.array(readingSent).max(ARRAY_LIMIT)]),
      'application/x-ndjson': z.string(),
      'text/csv': z.string(),
    },
  },
  answers: {
    200: {
      description: 'The reading was stored before, or some readings of the batch were refused.',
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
    413: error('The body is too large, or has more readings than a minute has room for.'),
    429: error('Too many readings in a minute, or a pause after wrong keys.', 'Retry-After'),
    503: batchError(
      "The store can't be used, or too many large posts arrive at once. With what is known of a batch.",
      'Retry-After',
    ),
  },
  examples: EXAMPLES,
};
