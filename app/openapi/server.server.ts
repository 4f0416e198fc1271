/** The descriptions of `/healthz`, `/metrics`, `/api/openapi.json` and `/api/docs`. */
import { z } from 'zod';
import { VERSION } from '../config/version.server';
import type { ReadingStore } from '../store/reading-store';
import {
  example,
  invalidParameter,
  invalidQuery,
  json,
  NO_TABLE,
  noParameters,
  type RouteDescription,
  SENSOR_PAGE,
  unchanged,
} from './operation.server';
import { schemaOf } from './schemas.server';

/** The body of `/healthz`. */
interface Health {
  status: 'ok' | 'unavailable';
  store: ReadingStore['kind'];
  version: string;
  lastReadingAgeSeconds: number | null;
  detail?: string;
}

const health = schemaOf<Health>()(
  'Health',
  "The store's health.",
  z.object({
    status: z.enum(['ok', 'unavailable']),
    store: z.enum(['sqlite', 'supabase']),
    version: z.string().describe('The version of airboard.'),
    lastReadingAgeSeconds: z
      .int()
      .min(0)
      .nullable()
      .describe('The age of the newest reading; null without readings or if unknown.'),
    detail: z.string().optional().describe('The reason, if the status is `unavailable`.'),
  }),
);

const HEALTHY: Health = { status: 'ok', store: 'sqlite', version: VERSION, lastReadingAgeSeconds: 3 };

export const healthz: RouteDescription = {
  get: {
    id: 'getHealth',
    summary: 'Checks that readings can be read and stored.',
    description: 'For monitors and load balancers.',
    tag: 'server',
    answers: {
      200: json('The server works.', health),
      503: json("Readings can't be read or stored, or the database file is damaged.", health, 'Retry-After'),
    },
    examples: [
      example('A server that works', {}, 200, HEALTHY),
      example(
        "While the store can't be used",
        {},
        503,
        { ...HEALTHY, status: 'unavailable', lastReadingAgeSeconds: null, detail: NO_TABLE },
        { isWithoutStore: true },
      ),
    ],
  },
};

const OPEN_METRICS = 'application/openmetrics-text';

export const metrics: RouteDescription = {
  get: {
    id: 'getMetrics',
    summary: 'Returns metrics for Prometheus.',
    description:
      'The newest values of the sensors, and the server’s counters. A server with more sensors than `limit` lists them in pages, in the order of their names. `Accept` selects OpenMetrics 1.0.0 or text.',
    tag: 'server',
    parameters: SENSOR_PAGE,
    answers: {
      200: {
        description: "The metrics. If the store can't be read, the sensors are missing.",
        content: { 'text/plain': z.string(), [OPEN_METRICS]: z.string() },
        headers: ['Link'],
      },
      400: invalidQuery,
    },
    examples: [
      example('As text', {}, 200, '# TYPE airboard_co2_ppm gauge\nairboard_co2_ppm{sensor=""} 415\n', {
        type: 'text/plain',
      }),
      example(
        'As OpenMetrics',
        { headers: { Accept: `${OPEN_METRICS}; version=1.0.0` } },
        200,
        '# TYPE airboard_readings counter\nairboard_readings_total{outcome="stored"} 7\n# EOF\n',
        { type: OPEN_METRICS },
      ),
      invalidParameter({ sensor: 'Kitchen' }, 'sensor', 'is unknown: use limit or after'),
    ],
  },
};

export const openapi: RouteDescription = {
  get: {
    id: 'getDocument',
    summary: 'Returns this document.',
    description:
      'OpenAPI 3.1. Each example contains the request as `x-request`, and the required server settings as `x-settings`.',
    tag: 'server',
    answers: {
      200: json('The document.', z.looseObject({ openapi: z.string() }), 'ETag'),
      304: { description: 'The document is unchanged.', headers: ['ETag', 'Airboard-Build'] },
      400: invalidQuery,
    },
    examples: [unchanged(), noParameters('format', 'yaml')],
  },
};

export const docs: RouteDescription = {
  get: {
    id: 'showDocument',
    summary: 'Shows this document as a page.',
    description: 'It loads nothing from other hosts, and needs no JavaScript.',
    tag: 'server',
    answers: { 200: { description: 'The page.', content: { 'text/html': z.string() } }, 400: invalidQuery },
    examples: [noParameters('path', '/api/data')],
  },
};
