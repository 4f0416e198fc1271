/** The descriptions of `/healthz`, `/metrics`, `/read-key`, `/api/openapi.json` and `/api/docs`. */
import { z } from 'zod';
import { VERSION } from '../config/version.server';
import type { ReadingStore } from '../store/reading-store';
import {
  error,
  example,
  failure,
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
    isOpen: true,
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

const ONLY_READERS = { READ_KEY: 'enough-battery-staple' };
export const FORM_TYPE = 'application/x-www-form-urlencoded';
const OF_FORM = { 'Content-Type': FORM_TYPE };
const entered = (key: string) => ({ headers: OF_FORM, body: `key=${key}&to=/history` });
const keyPage = (description: string, ...headers: string[]) => ({
  description,
  content: { 'text/html': z.string() },
  headers: [...headers, 'Airboard-Build'],
});

export const readKey: RouteDescription = {
  post: {
    id: 'enterReadKey',
    isOpen: true,
    summary: 'Takes the form that asks for the read key.',
    description:
      'Where a `READ_KEY` is set, pages without it are this form, with status 401. The right key sets a cookie, with which this browser can read everything. Programs send the key with each request instead.',
    tag: 'server',
    body: {
      description: 'The fields of the form.',
      content: {
        [FORM_TYPE]: z.object({
          key: z.string().optional().describe('The `READ_KEY` or the `WRITE_KEY`.'),
          to: z.string().optional().describe('The address to go to, `/` by default.'),
          forget: z.literal('true').optional().describe('Removes the cookie instead.'),
        }),
      },
    },
    answers: {
      303: { description: 'To the address in `to`, with `Set-Cookie`.', headers: ['Airboard-Build'] },
      400: error('The address has a parameter, or the body is not UTF-8.'),
      401: keyPage('The form again, because the key is wrong.', 'WWW-Authenticate'),
      403: error('The request comes from a page of another site.'),
      413: error('The body is over 16 KiB.'),
      429: keyPage('The form again, because the key and others from this address are wrong.', 'Retry-After'),
    },
    examples: [
      example('The key', entered(ONLY_READERS.READ_KEY), 303, null, { settings: ONLY_READERS }),
      noParameters('key', 'guess'),
      example('A wrong key', entered('guess'), 401, 'That isn’t the read key.', {
        settings: ONLY_READERS,
        type: 'text/html',
      }),
      failure(
        'From a page of another site',
        { headers: { ...OF_FORM, 'Sec-Fetch-Site': 'cross-site' }, body: 'forget=true' },
        403,
        "Pages of other sites can't do this. Add the page's origin to ALLOWED_ORIGINS to let it.",
      ),
      example('Many wrong keys', entered('guess'), 429, 'That isn’t the read key, and others', {
        settings: ONLY_READERS,
        type: 'text/html',
        isRepeated: true,
      }),
    ],
  },
};

export const openapi: RouteDescription = {
  get: {
    id: 'getDocument',
    isOpen: true,
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
    isOpen: true,
    summary: 'Shows this document as a page.',
    description: 'It loads nothing from other hosts, and needs no JavaScript.',
    tag: 'server',
    answers: { 200: { description: 'The page.', content: { 'text/html': z.string() } }, 400: invalidQuery },
    examples: [noParameters('path', '/api/data')],
  },
};
