/** The description of `/api/notes`. */
import { z } from 'zod';
import { MAX_NOTE_CHARACTERS, type Note, type NoteInput } from '../readings/note';
import { MAX_NOTES } from '../store/note-store';
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
  parameter,
  REFUSALS,
  type RouteDescription,
  refused,
  SENSOR,
  storeFailure,
  TO,
  WITH_KEY,
} from './operation.server';
import { schemaOf, sensorName, time } from './schemas.server';

const text = z.string().min(1).max(MAX_NOTE_CHARACTERS);

const note = schemaOf<Note>()(
  'Note',
  'A remark about a moment or a span.',
  z.object({
    id: z.int().min(1),
    sensor: sensorName,
    from: time,
    to: z.union([time, z.null()]).describe('The end of a span; null for a moment.'),
    text,
  }),
);

/** The members of a posted note. */
type Sent = Pick<NoteInput, 'text'> & {
  [Member in Exclude<keyof NoteInput, 'text'>]?: Member extends 'sensor'
    ? string | null
    : string | number | null;
};

const sentTime = z.union([z.string().max(64), z.number(), z.null()]).optional();

const noteSent = schemaOf<Sent>()(
  'NoteSent',
  'A note to store. Unknown members are ignored.',
  z.object({
    text: text.describe('One line without control characters.'),
    sensor: z
      .union([z.string(), z.null()])
      .optional()
      .describe('Without a name, the note belongs to the unnamed sensor.'),
    from: sentTime.describe("Like `created_at` of a reading. By default, the server's time."),
    to: sentTime.describe('The end of a span, after `from`. Without it, the note is about a moment.'),
  }),
);

const WINDOW = {
  sensor: 'Bedroom',
  text: 'window',
  from: '2026-01-31T10:00:00Z',
  to: '2026-01-31T10:12:00Z',
};
const STORED = {
  id: 1,
  sensor: 'Bedroom',
  from: '2026-01-31T10:00:00.000Z',
  to: '2026-01-31T10:12:00.000Z',
  text: 'window',
};
const CANDLES = { id: 2, sensor: '', from: '2026-01-31T18:30:00.000Z', to: null, text: 'candles' };
const NO_NOTES = "The database can't be used: no such table: notes.";
const SPAN = { sensor: 'Bedroom', from: '2026-01-31T00:00:00Z', to: '2026-02-01T00:00:00Z' };

const tooMany = (request: object) =>
  failure(
    'Too many requests in a minute',
    { headers: WITH_KEY, ...request },
    429,
    'This address has sent more than 3 readings in a minute. Try again in 42 s, or raise POSTS_PER_MINUTE.',
    { settings: GUARDED, isRepeated: true },
  );

export const notes: RouteDescription = {
  get: {
    id: 'listNotes',
    summary: 'Returns notes, oldest first.',
    description: `At most the newest ${MAX_NOTES} of the span, which includes notes that reach into it.`,
    tag: 'notes',
    parameters: [
      SENSOR,
      FROM,
      TO,
      parameter(
        'format',
        z.enum(['csv', 'json']),
        'The format. By default JSON, unless `Accept` prefers `text/csv`.',
      ),
    ],
    answers: {
      200: {
        description:
          'The notes. In CSV, the empty field of `to` means a moment, and text that a spreadsheet would run as a formula starts with an apostrophe.',
        content: { 'application/json': z.array(note), 'text/csv': z.string() },
        headers: ['Airboard-Build', 'Content-Disposition'],
      },
      400: invalidQuery,
      503: noRead,
    },
    examples: [
      example('The notes of a day', { query: SPAN }, 200, [STORED], { type: 'application/json' }),
      example(
        'Notes as CSV',
        { query: { format: 'csv', sensor: 'Bedroom' } },
        200,
        'from,to,sensor,text,id\r\n2026-01-31T10:00:00.000Z,2026-01-31T10:12:00.000Z,Bedroom,window,1\r\n',
        { type: 'text/csv' },
      ),
      invalidParameter(
        { from: '2026-01-31' },
        'from',
        'needs a time and an offset from UTC: write it like 2026-11-21T00:00:00Z or 2026-11-21T00:00:00+01:00, not "2026-01-31"',
      ),
      storeFailure({}, NO_NOTES),
    ],
  },
  post: {
    id: 'storeNote',
    summary: 'Stores a note about a moment or a span.',
    description:
      "The sensor need not have readings. The same note with the same `from` isn't stored twice, so a post may be repeated.",
    tag: 'notes',
    needsKey: true,
    body: { description: 'A note of at most 16 KiB.', content: { 'application/json': noteSent } },
    answers: {
      200: json('The note was stored already.', note),
      201: json('The note is stored.', note),
      400: error('The note is invalid. `errors` names each field.'),
      ...REFUSALS,
      413: error('The body is over 16 KiB.'),
      429: error('Too many requests in a minute, or too many wrong keys.', 'Retry-After'),
      503: noStore,
    },
    examples: [
      example('A span', { body: WINDOW }, 201, STORED),
      example('A moment', { body: { text: 'candles', from: CANDLES.from } }, 201, CANDLES),
      example('The same again', { body: WINDOW }, 200, STORED),
      failure('Without a text', { body: { sensor: 'Bedroom' } }, 400, 'The note is invalid.', {
        members: { errors: [{ field: 'text', detail: 'is missing: send what happened, such as "window"' }] },
      }),
      failure(
        'A body that is too large',
        { body: { text: 'x'.repeat(20_000) } },
        413,
        'The body is over 16 KiB. Send one note at a time.',
      ),
      ...refused({ text: 'window' }, GUARDED),
      tooMany({ body: { text: 'window' } }),
      storeFailure({ body: WINDOW }, NO_NOTES),
    ],
  },
  delete: {
    id: 'removeNote',
    summary: 'Removes a note.',
    description: 'It needs the same key as storing a note.',
    tag: 'notes',
    needsKey: true,
    parameters: [{ ...parameter('id', z.int().min(1), 'The `id` of the note.'), required: true }],
    answers: {
      204: { description: 'The note is removed.' },
      400: invalidQuery,
      ...REFUSALS,
      404: error('There is no note with this id.'),
      429: error('Too many requests in a minute, or too many wrong keys.', 'Retry-After'),
      503: noStore,
    },
    examples: [
      example('A note', { query: { id: '1' } }, 204, null),
      failure('An unknown note', { query: { id: '999' } }, 404, 'There is no note 999.'),
      invalidParameter({ id: 'x' }, 'id', 'must be the number of a note'),
      ...refused(undefined, GUARDED),
      tooMany({ query: { id: '1' } }),
      storeFailure({ query: { id: '1' } }, NO_NOTES),
    ],
  },
};
