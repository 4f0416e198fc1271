import { z } from 'zod';
import { MAX_NAME_CHARACTERS } from '../readings/sensor-name.js';
import { batchProblem, conflict, problem } from './schemas.server';

/** How an address of the API is described, and the parts that several descriptions share. */

/** A route's methods. `HEAD` is `GET` without a body. */
export interface RouteDescription {
  get?: Operation;
  post?: Operation;
}

/** A method of a route. Texts are Markdown; `/api/docs` renders only `code`. */
export interface Operation {
  /** A verb and a noun, such as `listSensors`: generated clients name their functions by it. */
  id: string;
  summary: string;
  description: string;
  tag: Tag;
  /** Set if it needs `WRITE_KEY`. */
  needsKey?: true;
  parameters?: Parameter[];
  body?: { description: string; content: Content };
  answers: Record<number, Answer>;
  /** Sent to a server and compared with its answers by tests/server/openapi.test.ts, in this order. */
  examples: Example[];
}

export type Tag = 'readings' | 'history' | 'notifications' | 'server';

export interface Parameter {
  name: string;
  in: 'query' | 'header';
  description: string;
  schema: z.ZodType;
}

/** The schema of a body by media type. */
export type Content = Record<string, z.ZodType>;

export interface Answer {
  description: string;
  /** Left out for an answer without a body. */
  content?: Content;
  /** Names of `HEADERS`. */
  headers?: string[];
}

/** A request and its literal answer. */
export interface Example {
  /** What is done, in a few words. */
  title: string;
  request: ExampleRequest;
  status: number;
  /** Its `Content-Type`, if the answer has several. */
  type?: string;
  /** JSON, or text. */
  answer: unknown;
  /** Settings of the server. */
  settings?: Record<string, string>;
  /** Set if only the last of several such requests gets this answer. */
  isRepeated?: true;
  /** Set if the store can't be used. */
  isWithoutStore?: true;
}

export interface ExampleRequest {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, or text. */
  body?: unknown;
}

const PROBLEM = 'application/problem+json';

/** Returns the error body of an example (RFC 9457). */
export const problemBody = (status: number, title: string, detail: string, members: object = {}) => ({
  type: 'about:blank',
  title,
  status,
  detail,
  ...members,
});

export const error = (description: string, ...headers: string[]): Answer => ({
  description,
  content: { [PROBLEM]: problem },
  headers,
});

/** An error of a reading or of a batch. */
export const batchError = (description: string, ...headers: string[]): Answer => ({
  description,
  content: { [PROBLEM]: z.union([problem, batchProblem]) },
  headers,
});

/** The error of a reading whose sensor and time are stored with other values. */
export const conflictError = (description: string): Answer => ({
  description,
  content: { [PROBLEM]: conflict },
});

export const invalidQuery = error('A parameter is unknown, given twice or wrong. `errors` names it.');

export const noStore = error("The store can't be used at the moment.", 'Retry-After');

/** The 503 of routes whose reads wait in a queue. */
export const noRead = error(
  "The store can't be used at the moment, or too many reads are waiting.",
  'Retry-After',
);

/** The example of a request without the write key; the request is left out. */
export const MISSING_KEY: Pick<Example, 'title' | 'status' | 'answer'> = {
  title: 'Without the key',
  status: 401,
  answer: problemBody(
    401,
    'Unauthorized',
    'The write key is missing: send it as "Authorization: Bearer KEY", or as the password of Basic authentication.',
  ),
};

export const OTHER_SITE: Example = {
  title: 'From a page of another site',
  request: { headers: { Origin: 'https://other.example' } },
  status: 403,
  answer: problemBody(
    403,
    'Forbidden',
    "Pages of other sites can't do this. Add the page's origin to ALLOWED_ORIGINS to let it.",
  ),
};

export function invalidParameter(
  query: Record<string, string>,
  field: string,
  detail: string,
  rest: Example['request'] = {},
): Example {
  return {
    title: `A wrong \`${field}\``,
    request: { ...rest, query },
    status: 400,
    answer: problemBody(400, 'Bad Request', 'The query is invalid.', { errors: [{ field, detail }] }),
  };
}

export function storeFailure(
  request: Example['request'],
  detail = "The database can't be used: no such table: data.",
): Example {
  return {
    title: "While the store can't be used",
    request,
    status: 503,
    answer: problemBody(503, 'Service Unavailable', detail),
    isWithoutStore: true,
  };
}

export function parameter(name: string, schema: z.ZodType, description: string): Parameter {
  return { name, in: 'query', schema, description };
}

export function header(name: string, schema: z.ZodType, description: string): Parameter {
  return { name, in: 'header', schema, description };
}

export const SENSOR = parameter(
  'sensor',
  // A character may have two code units, which JSON Schema counts as one.
  z.string().max(MAX_NAME_CHARACTERS),
  "A sensor's name; empty for the unnamed one.",
);

/** Without `format: date-time`, which forbids times without seconds or with a space, which the server accepts. */
const time = z.string();

export const FROM = parameter(
  'from',
  time,
  'The start of the span, included: ISO 8601 with an offset or `Z`.',
);

export const TO = parameter('to', time, 'The end of the span, excluded.');

/** The parameters of a span of one sensor. */
export const SPAN = [
  parameter(
    'sensor',
    z.string().max(MAX_NAME_CHARACTERS),
    "The sensor's name; empty for the unnamed one. Optional if there is only one sensor.",
  ),
  parameter(
    'from',
    time,
    "The start of the span, included: ISO 8601 with an offset or `Z`, rounded down to a whole second. By default, the sensor's first reading.",
  ),
  parameter('to', time, 'The end of the span, excluded, rounded up to a whole second. By default, now.'),
];

export const IF_NONE_MATCH = header(
  'If-None-Match',
  z.string(),
  'The `ETag` of an earlier answer: 304 if nothing has changed since.',
);
