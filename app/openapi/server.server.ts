import { z } from 'zod';
import { VERSION } from '../config/version.server';
import type { ReadingStore } from '../store/reading-store';
import { invalidParameter, invalidQuery, type RouteDescription } from './operation.server';
import { schemaOf } from './schemas.server';

/** The body of `/healthz`. */
export interface Health {
  status: 'ok' | 'unavailable';
  store: ReadingStore['kind'];
  version: string;
  lastReadingAgeSeconds: number | null;
  detail?: string;
}

export const health = schemaOf<Health>()(
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
      .describe('The age of the newest reading; null if there is none, or if it is unknown.'),
    detail: z.string().optional().describe('The reason, if the status is `unavailable`.'),
  }),
);

export const healthz: RouteDescription = {
  get: {
    id: 'getHealth',
    summary: 'Returns whether readings can be read and stored.',
    description: 'For monitors and load balancers.',
    tag: 'server',
    answers: {
      200: {
        description: 'The server works.',
        content: { 'application/json': health },
        headers: ['Airboard-Build'],
      },
      503: {
        description: "Readings can't be read or stored, or the database file is damaged.",
        content: { 'application/json': health },
        headers: ['Retry-After', 'Airboard-Build'],
      },
    },
    examples: [
      {
        title: 'A server that works',
        request: {},
        status: 200,
        answer: { status: 'ok', store: 'sqlite', version: VERSION, lastReadingAgeSeconds: 3 },
      },
      {
        title: "While the store can't be used",
        request: {},
        status: 503,
        answer: {
          status: 'unavailable',
          store: 'sqlite',
          version: VERSION,
          lastReadingAgeSeconds: null,
          detail: "The database can't be used: no such table: data.",
        },
        isWithoutStore: true,
      },
    ],
  },
};

export const metrics: RouteDescription = {
  get: {
    id: 'getMetrics',
    summary: 'Returns metrics for Prometheus.',
    description:
      'The newest values of the latest sensors, and the server’s counters. `Accept` selects OpenMetrics 1.0.0 or text.',
    tag: 'server',
    answers: {
      200: {
        description: "The metrics; without sensors if the store can't be read.",
        content: { 'text/plain': z.string(), 'application/openmetrics-text': z.string() },
      },
      400: invalidQuery,
    },
    examples: [
      {
        title: 'As text',
        request: {},
        status: 200,
        type: 'text/plain',
        answer: '# TYPE airboard_co2_ppm gauge\nairboard_co2_ppm{sensor=""} 415\n',
      },
      {
        title: 'As OpenMetrics',
        request: { headers: { Accept: 'application/openmetrics-text; version=1.0.0' } },
        status: 200,
        type: 'application/openmetrics-text',
        answer: '# TYPE airboard_readings counter\nairboard_readings_total{outcome="stored"} 7\n# EOF\n',
      },
      invalidParameter({ sensor: 'Kitchen' }, 'sensor', 'is unknown: this address takes no parameters'),
    ],
  },
};

export const openapi: RouteDescription = {
  get: {
    id: 'getDocument',
    summary: 'Returns this document.',
    description:
      'OpenAPI 3.1. Its examples contain the request as `x-request`, and the settings that the server needs for it as `x-settings`.',
    tag: 'server',
    answers: {
      200: {
        description: 'The document.',
        content: { 'application/json': z.looseObject({ openapi: z.string() }) },
        headers: ['ETag', 'Airboard-Build'],
      },
      304: { description: 'The document is unchanged.', headers: ['ETag', 'Airboard-Build'] },
      400: invalidQuery,
    },
    examples: [
      {
        title: 'Only if it has changed',
        request: { headers: { 'If-None-Match': '*' } },
        status: 304,
        answer: null,
      },
      invalidParameter({ format: 'yaml' }, 'format', 'is unknown: this address takes no parameters'),
    ],
  },
};

export const docs: RouteDescription = {
  get: {
    id: 'showDocument',
    summary: 'Shows this document as a page.',
    description: 'It loads nothing from other hosts, and needs no JavaScript.',
    tag: 'server',
    answers: { 200: { description: 'The page.', content: { 'text/html': z.string() } }, 400: invalidQuery },
    examples: [
      invalidParameter({ path: '/api/data' }, 'path', 'is unknown: this address takes no parameters'),
    ],
  },
};
