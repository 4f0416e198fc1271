import { z } from 'zod';
import { VERSION } from '../../config/version.server';
import { invalidParameter, invalidQuery } from '../answers.server';
import type { RouteDescription } from '../operation.server';
import { health } from '../schemas/health.server';

/** `/healthz`. */
export const healthz: RouteDescription = {
  get: {
    id: 'getHealth',
    summary: 'Says whether readings can be read and stored.',
    description: 'For monitors and load balancers.',
    tag: 'server',
    answers: {
      200: {
        description: 'All is well.',
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

/** `/metrics`. */
export const metrics: RouteDescription = {
  get: {
    id: 'getMetrics',
    summary: 'Returns metrics for Prometheus.',
    description:
      'The newest values of the sensors heard last, and what the server counts. The format is what `Accept` prefers: OpenMetrics 1.0.0, or text.',
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

/** `/api/openapi.json`. */
export const openapi: RouteDescription = {
  get: {
    id: 'getDocument',
    summary: 'Returns this document.',
    description:
      'OpenAPI 3.1. Its examples have the request as `x-request`, and settings that the server needs for it as `x-settings`.',
    tag: 'server',
    answers: {
      200: {
        description: 'The document.',
        content: { 'application/json': z.looseObject({ openapi: z.string() }) },
        headers: ['ETag', 'Airboard-Build'],
      },
      304: { description: 'It is still the same.', headers: ['ETag', 'Airboard-Build'] },
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

/** `/api/docs`. */
export const docs: RouteDescription = {
  get: {
    id: 'showDocument',
    summary: 'Shows this document as a page.',
    description: 'For people. It loads nothing from other hosts, and needs no JavaScript.',
    tag: 'server',
    answers: { 200: { description: 'The page.', content: { 'text/html': z.string() } }, 400: invalidQuery },
    examples: [
      invalidParameter({ path: '/api/data' }, 'path', 'is unknown: this address takes no parameters'),
    ],
  },
};
