/** The OpenAPI document (`/api/openapi.json`), generated from the descriptions of the routes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atBase } from '../base-path';
import { VERSION } from '../config/version.server';
import { data, live } from './data.server';
import { restore } from './deletions.server';
import { airGradient, airrohr, enviro, influx, influx2 } from './devices.server';
import { history, pattern, summary } from './history.server';
import { notes } from './notes.server';
import { air, notifications, webhookEvent } from './notifications.server';
import type { Answer, Content, ExampleRequest, Operation, RouteDescription } from './operation.server';
import { airings, ventilationRoute } from './room.server';
import { rooms } from './rooms.server';
import { type Json, jsonSchema, namedSchemas } from './schemas.server';
import { sensors } from './sensors.server';
import { docs, FORM_TYPE, healthz, metrics, openapi, readKey } from './server.server';

const TAGS: Record<Operation['tag'], string> = {
  readings: 'Store and read readings.',
  notes: 'Remarks by people about moments and spans.',
  history: "Spans of a sensor's history.",
  rooms: 'All rooms together, and ventilation and airings from the curve of CO2.',
  notifications: 'The state of each sensor, and the notifications that were sent.',
  server: 'The server and its API.',
};

/** The response headers. */
export const HEADERS: Record<string, Json> = {
  'Airboard-Build': {
    description: 'The build of the server. An update changes it.',
    schema: { type: 'string' },
  },
  'Airboard-Deletions': {
    description: 'A text that changes when readings are deleted or brought back.',
    schema: { type: 'string' },
  },
  'Content-Disposition': { description: 'The name of a CSV file.', schema: { type: 'string' } },
  Link: {
    description: 'The address of the next page, with `rel="next"`. The last page has none.',
    schema: { type: 'string' },
  },
  ETag: { description: 'Identifies the answer, for `If-None-Match`.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'How to send the key.', schema: { type: 'string' } },
};

/** The errors that any address may return, by status. */
export const GENERAL_ERRORS: Record<number, string> = {
  400: 'The request, its address or its `Host` is malformed.',
  401: 'The server has a `READ_KEY`, and the request carries neither it nor the `WRITE_KEY`. Posts of readings don’t need it.',
  404: 'There is no such address. `detail` lists those of the API.',
  405: 'The address doesn’t allow this method. `Allow` lists those that it does.',
  408: 'The request wasn’t complete within a minute.',
  414: 'The address is over 2 kB.',
  417: '`Expect` isn’t `100-continue`.',
  431: 'The address and the headers are over 16 KiB together.',
  500: 'An unexpected error. The server’s log shows it.',
  501: '`Transfer-Encoding` isn’t `chunked`.',
  503: 'The server is stopping. `Retry-After` says when to try again.',
};

export const INTRODUCTION =
  'Stores and returns readings of CO2, VOC and other metrics of the air. Storing readings needs the `WRITE_KEY`, reading the `READ_KEY`, and every other change both, if they are set. ' +
  'The `WRITE_KEY` opens reading too, so that it is enough. Every error is an RFC 9457 problem, including these, which any address may answer with:';

/** The ways to send a key. One is enough. */
const KEY_SCHEMES: Record<string, Json> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `WRITE_KEY` or the `READ_KEY` of the server, if it has one.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The key as the password, with any user, for devices that support nothing else.',
  },
};

/** Every API address. tests/server/openapi.test.ts compares the list with the server. */
export const ROUTES: Readonly<Record<string, RouteDescription>> = {
  '/api/data': data,
  '/api/restore': restore,
  '/api/live': live,
  '/api/sensors': sensors,
  '/api/history': history,
  '/api/summary': summary,
  '/api/pattern': pattern,
  '/api/ventilation': ventilationRoute,
  '/api/airings': airings,
  '/api/rooms': rooms,
  '/api/notes': notes,
  '/api/air': air,
  '/api/notifications': notifications,
  '/api/airrohr': airrohr,
  '/api/enviro': enviro,
  ...airGradient,
  '/api/v2/write': influx2,
  '/write': influx,
  '/healthz': healthz,
  '/metrics': metrics,
  '/read-key': readKey,
  '/api/openapi.json': openapi,
  '/api/docs': docs,
};

const HOST = 'http://localhost:3000';

/** Returns the path and query of an example's request. */
export function addressOf(path: string, { path: parts = {}, query = {} }: ExampleRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (all, name) => parts[name] ?? all);
  const text = new URLSearchParams(query).toString();
  return text ? `${filled}?${text.replaceAll('%3A', ':').replaceAll('%2F', '/')}` : filled;
}

/** Returns an example's request body as text; undefined without a body. */
export function bodyOf({ body }: ExampleRequest): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** Formats a request as a `curl` command. */
export function curlOf(method: string, path: string, request: ExampleRequest): string {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => ` -H '${name}: ${value}'`);
  const body = bodyOf(request);
  const data = body === undefined ? '' : ` --data-binary ${body.includes('\n') ? '$' : ''}'${escaped(body)}'`;
  const isNamed = method === 'delete' || method === 'patch' || (method === 'post' && body === undefined);
  const verb = isNamed ? ` -X ${method.toUpperCase()}` : '';
  const address = HOST + atBase(addressOf(path, request));
  return `curl${verb}${headers.join('')}${data} ${/[?&]/.test(address) ? `'${address}'` : address}`;
}

const escaped = (text: string) => text.replaceAll('\n', '\\n').replaceAll("'", "\\'");

let document: Promise<Json> | undefined;

/** Returns the OpenAPI 3.1 document. Cached. */
export function openApiDocument(): Promise<Json> {
  document ??= makeDocument();
  return document;
}

/** Converts one path per event-loop turn, because all together would block for a tenth of a second. */
async function makeDocument(): Promise<Json> {
  const paths: Json = {};
  for (const [path, route] of Object.entries(ROUTES)) {
    paths[path] = pathItem(route, path);
    await nextTurn();
  }
  const errors = Object.entries(GENERAL_ERRORS).map(([status, reason]) => `| ${status} | ${reason} |`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'airboard',
      version: VERSION,
      description: `${INTRODUCTION}\n\n| status | reason |\n| --- | --- |\n${errors.join('\n')}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Paths are appended to it, and begin with a slash.
    servers: [{ url: atBase('') || '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: {
      notification: {
        post: {
          operationId: 'receiveNotification',
          summary: 'Receives a notification at an address of `NOTIFY_URLS`.',
          description: 'Signed by the Standard Webhooks specification if `NOTIFY_SECRET` is set.',
          tags: ['notifications'],
          security: [],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(webhookEvent) } },
          },
          responses: {
            '2XX': { description: 'Received. Other answers are retried; 410 ends the attempts.' },
          },
        },
      },
    },
    components: { schemas: namedSchemas(), headers: HEADERS, securitySchemes: KEY_SCHEMES },
  };
}

const pathItem = ({ get, post, patch, delete: remove }: RouteDescription, path: string): Json => ({
  get: get && operationObject(get, 'get', path),
  head: get && headOf(get),
  post: post && operationObject(post, 'post', path),
  patch: patch && operationObject(patch, 'patch', path),
  delete: remove && operationObject(remove, 'delete', path),
});

function operationObject(operation: Operation, method: string, path: string): Json {
  const { body, answers, examples } = operation;
  const bodies = (type: string) =>
    examples
      .filter(({ status, request }) => status < 400 && request.body !== undefined)
      .filter(({ request }) => (request.headers?.['Content-Type'] ?? 'application/json') === type)
      .map(({ title, request }) => ({
        summary: title,
        // OpenAPI shows the fields of a form as an object.
        value: type === FORM_TYPE ? Object.fromEntries(new URLSearchParams(bodyOf(request))) : request.body,
      }));
  const answersOf = (status: string, type?: string) =>
    examples
      .filter((example) => String(example.status) === status && (!type || example.type === type))
      .map(({ title, answer, request, settings }) => ({
        summary: title,
        value: answer,
        'x-request': curlOf(method, path, request),
        'x-settings': settings,
      }));
  return {
    ...commonParts(operation),
    requestBody: body && {
      required: true,
      description: body.description,
      content: contentObject(body.content, bodies),
    },
    responses: responsesOf(answers, (answer, status) => {
      const { content } = answer;
      const isOnly = Object.keys(content ?? {}).length === 1;
      return {
        ...withoutBody(answer),
        content: content && contentObject(content, (type) => answersOf(status, isOnly ? undefined : type)),
      };
    }),
  };
}

function headOf(operation: Operation): Json {
  return {
    ...commonParts({
      ...operation,
      id: `${operation.id}Headers`,
      summary: 'Returns the same headers as GET, without a body.',
      description: 'Reads nothing from the store.',
    }),
    responses: responsesOf(operation.answers, withoutBody),
  };
}

function commonParts({ id, summary, description, tag, parameters = [], isOpen }: Operation): Json {
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    parameters: parameters.map(({ schema, ...rest }) => ({ ...rest, schema: jsonSchema(schema) })),
    // `{}` allows requests without a key, for servers that have none.
    security: isOpen ? [] : [...Object.keys(KEY_SCHEMES).map((name) => ({ [name]: [] })), {}],
  };
}

function responsesOf(answers: Record<number, Answer>, toResponse: (answer: Answer, status: string) => Json) {
  const general = { description: 'One of the errors that any address may answer with.' };
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return { ...mapValues(answers, toResponse), default: { ...general, content } };
}

function withoutBody({ description, headers = [] }: Answer): Json {
  const references = headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(references) };
}

function contentObject(content: Content, examplesOf: (type: string) => { summary: string }[]): Json {
  return mapValues(content, (schema, type) => ({
    schema: jsonSchema(schema),
    examples: Object.fromEntries(examplesOf(type).map((example) => [keyOf(example.summary), example])),
  }));
}

const keyOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
