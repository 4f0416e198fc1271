import { z } from 'zod';
import { invalidParameter, invalidQuery, noRead, storeFailure } from '../answers.server';
import type { RouteDescription } from '../operation.server';
import { sensorSummary } from '../schemas/readings.server';

/** `/api/sensors`. */
export const sensors: RouteDescription = {
  get: {
    id: 'listSensors',
    summary: 'Lists the sensors with their newest readings.',
    description: 'The one that was heard last comes first.',
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
