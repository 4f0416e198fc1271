/** The types that describe an API route, and parameters, answers and examples that several routes share. */
import { z } from 'zod';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { MAX_NAME_CHARACTERS } from '../readings/sensor-name.js';
import { conflict, influxProblem, influxProblemOfBatch, problem, problemOfBatch } from './schemas.server';

/** A route's methods. `HEAD` is `GET` without a body. */
export interface RouteDescription {
  get?: Operation;
  post?: Operation;
  patch?: Operation;
  delete?: Operation;
}

/** A method of a route. Texts are Markdown, of which `/api/docs` renders only `code`. */
export interface Operation {
  /** A verb and a noun, such as `listSensors`. Generated clients use it as the function's name. */
  id: string;
  summary: string;
  description: string;
  tag: 'readings' | 'notes' | 'history' | 'rooms' | 'notifications' | 'server';
  /** Set if the operation needs `WRITE_KEY`. */
  needsKey?: true;
  /** Set if the operation needs no `READ_KEY`. */
  isOpen?: true;
  parameters?: Parameter[];
  body?: { description: string; content: Content };
  answers: Record<number, Answer>;
  /** Examples, which tests/server/openapi.test.ts sends to a server in this order to compare the answers. */
  examples: Example[];
}

export interface Parameter {
  name: string;
  in: 'query' | 'header' | 'path';
  schema: z.ZodType;
  description: string;
  required?: true;
}

/** The schema of a body by media type. */
export type Content = Record<string, z.ZodType>;

export interface Answer {
  description: string;
  /** Left out for an answer without a body. */
  content?: Content;
  /** Keys of `HEADERS`. */
  headers?: string[];
}

/** A request and its literal answer. A body is JSON or text. */
export interface Example extends ExampleConditions {
  /** The request in a few words. */
  title: string;
  request: ExampleRequest;
  status: number;
  answer: unknown;
}

export interface ExampleRequest {
  /** Values for the placeholders of the path. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

interface ExampleConditions {
  /** The answer's `Content-Type`, if the operation has several. */
  type?: string;
  /** The server's settings. */
  settings?: Record<string, string>;
  /** Set if the request has to be repeated to get this answer. */
  isRepeated?: true;
  /** Set if the store can't be used. */
  isWithoutStore?: true;
}

export const parameter = (name: string, schema: z.ZodType, description: string): Parameter => ({
  name,
  in: 'query',
  schema,
  description,
});

export const header = (name: string, schema: z.ZodType, description: string): Parameter => ({
  ...parameter(name, schema, description),
  in: 'header',
});

// JSON Schema counts code points, as `MAX_NAME_CHARACTERS` does.
const sensor = z.string().max(MAX_NAME_CHARACTERS);

export const IF_NONE_MATCH = header(
  'If-None-Match',
  z.string(),
  'The `ETag` of an earlier answer: 304 if nothing has changed since.',
);

/** The parameters of a list of sensors in pages. */
export const SENSOR_PAGE = [
  parameter(
    'limit',
    z.int().min(1).max(SENSORS_IN_PAGE),
    `The maximum number of sensors in the answer. By default ${SENSORS_IN_PAGE}.`,
  ),
  parameter(
    'after',
    sensor,
    'Only sensors whose names follow this one. `Link` has the address of the next page.',
  ),
];

export const SENSOR = parameter('sensor', sensor, "A sensor's name; empty for the unnamed one.");

/** Has no `format: date-time`, because that forbids some accepted times, such as those with a space. */
const time = z.string();
const START = 'The start of the span, included: ISO 8601 with an offset or `Z`';
const END = 'The end of the span, excluded';

export const FROM = parameter('from', time, `${START}.`);
export const TO = parameter('to', time, `${END}.`);

export const RAW = parameter(
  'raw',
  z.enum(['true', 'false']),
  "True for the values as posted, without the sensor's corrections.",
);

/** The parameters for a span of one sensor. */
export const SPAN = [
  parameter(
    'sensor',
    sensor,
    "The sensor's name; empty for the unnamed one. Optional if there is only one sensor.",
  ),
  parameter(
    'from',
    time,
    `${START}, rounded down to a whole second. By default, the sensor's first reading.`,
  ),
  parameter('to', time, `${END}, rounded up to a whole second. By default, now.`),
];

/** A successful answer with JSON. */
export const json = (description: string, schema: z.ZodType, ...headers: string[]): Answer => ({
  description,
  content: { 'application/json': schema },
  headers: [...headers, 'Airboard-Build'],
});

const errorOf =
  (schema: z.ZodType) =>
  (description: string, ...headers: string[]): Answer => ({
    description,
    content: { 'application/problem+json': schema },
    headers,
  });

export const error = errorOf(problem);
/** An error for a reading or a batch. */
export const batchError = errorOf(z.union([problem, problemOfBatch]));
/** An error for a post of line protocol. */
export const influxError = errorOf(z.union([influxProblem, influxProblemOfBatch, problem]));
/** The error for a reading whose sensor and time are stored with other values, or whose sensor is one too many. */
export const conflictError = errorOf(z.union([conflict, problem, problemOfBatch]));

export const invalidQuery = error('A parameter is unknown, given twice or wrong. `errors` names it.');
export const noStore = error("The store can't be used at the moment.", 'Retry-After');
/** The 503 answer of routes that queue reads. */
export const noRead = error(
  "The store can't be used at the moment, or too many reads are waiting.",
  'Retry-After',
);

/** The answers of a read that confirms an `ETag`. */
export const cacheable = (description: string, schema: z.ZodType): Record<number, Answer> => ({
  200: json(description, schema, 'ETag'),
  304: {
    description: 'Nothing has changed since the answer with that `ETag`.',
    headers: ['ETag', 'Airboard-Build'],
  },
  400: invalidQuery,
  503: noRead,
});

/** The answers to requests without the key or from another site's page. */
export const REFUSALS: Record<number, Answer> = {
  401: error('The write key is missing or wrong.', 'WWW-Authenticate'),
  403: error('The request comes from a page of another site.'),
};

export const example = (
  title: string,
  request: ExampleRequest,
  status: number,
  answer: unknown,
  conditions: ExampleConditions = {},
): Example => ({ title, request, status, answer, ...conditions });

const STATUS_NAMES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** An example with an error. `members` are added to the usual ones. */
export const failure = (
  title: string,
  request: ExampleRequest,
  status: number,
  detail: string,
  { members, ...conditions }: ExampleConditions & { members?: object } = {},
): Example => {
  const problem = { type: 'about:blank', title: STATUS_NAMES[status], status, detail, ...members };
  return example(title, request, status, problem, conditions);
};

export const invalidParameter = (
  query: Record<string, string>,
  field: string,
  detail: string,
  body?: object,
) =>
  failure(`A wrong \`${field}\``, { body, query }, 400, 'The query is invalid.', {
    members: { errors: [{ field, detail }] },
  });

/** An example with a parameter, for an address that takes no parameters. */
export const noParameters = (name: string, value: string) =>
  invalidParameter({ [name]: value }, name, 'is unknown: this address takes no parameters');

export const NO_TABLE = "The database can't be used: no such table: data.";

export const storeFailure = (request: ExampleRequest, detail = NO_TABLE) =>
  failure("While the store can't be used", request, 503, detail, { isWithoutStore: true });

/** An example with an unchanged answer. `*` matches any `ETag`. */
export const unchanged = (query?: Record<string, string>) =>
  example('Only if it has changed', { query, headers: { 'If-None-Match': '*' } }, 304, null);

/** Settings with a write key and a low `POSTS_PER_MINUTE`. */
export const GUARDED = { WRITE_KEY: 'correct-horse-battery', POSTS_PER_MINUTE: '3' };
export const WITH_KEY = { Authorization: `Bearer ${GUARDED.WRITE_KEY}` };

/** Example requests without the key, and from another site's page. */
export const refused = (
  body: object | undefined,
  guarded: Record<string, string>,
  settings?: Record<string, string>,
): Example[] => [
  failure(
    'Without the key',
    { body },
    401,
    'The write key is missing: send it as "Authorization: Bearer KEY", or as the password of Basic authentication.',
    { settings: guarded },
  ),
  failure(
    'From a page of another site',
    { headers: { Origin: 'https://other.example' }, body },
    403,
    "Pages of other sites can't do this. Add the page's origin to ALLOWED_ORIGINS to let it.",
    { settings },
  ),
];

/** Example posts of a valid reading that is refused. */
export const refusedPosts = (body: object): Example[] => [
  ...refused(body, GUARDED),
  failure(
    'Too many readings in a minute',
    { headers: WITH_KEY, body },
    429,
    'This address has sent more than 3 readings in a minute. Try again in 42 s, or raise POSTS_PER_MINUTE.',
    { settings: GUARDED, isRepeated: true },
  ),
  storeFailure({ body }),
];
