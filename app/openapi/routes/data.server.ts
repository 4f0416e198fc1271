import { z } from 'zod';
import { invalidParameter, invalidQuery, noRead, parameter, storeFailure } from '../answers.server';
import type { RouteDescription } from '../operation.server';
import { FROM, SENSOR, TO } from '../parameters.server';
import { reading } from '../schemas/readings.server';
import { postData } from './post-data.server';

/** `/api/data`. */
export const data: RouteDescription = {
  get: {
    id: 'listReadings',
    summary: 'Returns readings, oldest first.',
    description:
      'Without a parameter, every reading, as a stream in constant memory. The connection is cut if the store fails meanwhile, so that no part is taken for the whole.',
    tag: 'readings',
    parameters: [
      SENSOR,
      FROM,
      TO,
      parameter('limit', z.int().min(1), 'Selects the newest readings, as many as this.'),
      parameter(
        'after',
        z.int().min(0),
        'Selects readings that were stored after the one with this id, in the order of storing unless there is a `limit`.',
      ),
      parameter(
        'format',
        z.enum(['csv', 'json']),
        'The format. Left out, it is JSON unless `Accept` prefers `text/csv`.',
      ),
    ],
    answers: {
      200: {
        description:
          'The readings. In CSV, what is not known is an empty field, and a name that a spreadsheet would run as a formula gets an apostrophe in front.',
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
