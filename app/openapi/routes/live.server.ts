import { z } from 'zod';
import { error, header, invalidParameter, invalidQuery, parameter } from '../answers.server';
import type { RouteDescription } from '../operation.server';
import { SENSOR } from '../parameters.server';

/** `/api/live`. */
export const live: RouteDescription = {
  get: {
    id: 'followReadings',
    summary: 'Streams new readings as server-sent events.',
    description:
      'Each event has the id of a reading and `{"new": …}` with the reading itself. A comment comes every 15 s. A client that comes back with the last id gets what it missed first, which `EventSource` does automatically.',
    tag: 'readings',
    parameters: [
      parameter(
        'sensor',
        SENSOR.schema,
        'Sends the readings of one sensor, and ids without data to resume from.',
      ),
      parameter('after', z.int().min(0), 'Sends the readings that were stored after this id first.'),
      header('Last-Event-ID', z.int().min(0), 'The same as `after`, which it takes the place of.'),
    ],
    answers: {
      200: {
        description: 'The stream.',
        content: { 'text/event-stream': z.string() },
      },
      400: invalidQuery,
      404: error('The readings are kept in Supabase, which sends inserts itself.'),
      503: error('As many streams are open as the limit on open files allows.', 'Retry-After'),
    },
    examples: [
      {
        title: 'What was stored after the first reading, and what comes',
        request: { query: { after: '1', sensor: 'Bedroom' } },
        status: 200,
        answer:
          'retry: 1000\n: readings as they are stored\n\nid: 2\ndata: {"new":{"id":2,"co2":862,"voc":null,"created_at":"2026-01-31T10:00:00.000Z","sensor":"Bedroom"}}\n\n',
      },
      invalidParameter({ after: 'x' }, 'after', 'must be a whole number, 0 or more'),
      {
        title: 'Of a server that keeps its readings in Supabase',
        request: {},
        status: 404,
        answer: {
          type: 'about:blank',
          title: 'Not Found',
          status: 404,
          detail:
            "This server keeps its readings in Supabase, which sends inserts itself: listen to INSERT events on the table data, schema public, of the project's Realtime channel public:data. GET /api/data?after=ID returns the readings you missed.",
        },
        settings: {
          SUPABASE_URL: 'https://REF.supabase.co',
          SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_KEY',
        },
      },
    ],
  },
};
