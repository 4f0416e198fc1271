import { setImmediate as nextTurn } from 'node:timers/promises';
import { VERSION } from '../config/version.server';
import { curlOf } from './example-request.server';
import { GENERAL_ERRORS, HEADERS, INTRODUCTION, KEY_SCHEMES, TAGS } from './general.server';
import type { Answer, Content, Example, Operation, RouteDescription } from './operation.server';
import { ROUTES } from './routes.server';
import { type Json, jsonSchema, namedSchemas } from './schemas/schema.server';

const METHODS = ['get', 'post'] as const;

let document: Promise<Json> | undefined;

/** Returns the OpenAPI 3.1 document of the API, which is made when it is asked for first. */
export function openApiDocument(): Promise<Json> {
  document ??= makeDocument();
  return document;
}

/** Takes a turn of the event loop for each path: all of them take a tenth of a second. */
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
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: namedSchemas(), headers: HEADERS, securitySchemes: KEY_SCHEMES },
  };
}

function pathItem(route: RouteDescription, path: string): Json {
  const item: Json = {};
  for (const method of METHODS) {
    const operation = route[method];
    if (!operation) continue;
    item[method] = operationObject(operation, method, path);
    if (method === 'get') item.head = headOf(operation);
  }
  return item;
}

function operationObject(operation: Operation, method: string, path: string): Json {
  const { body, answers, examples } = operation;
  const sent = examples.filter(({ status, request }) => status < 400 && request.body !== undefined);
  const bodies = (type: string) =>
    sent
      .filter(({ request }) => (request.headers?.['Content-Type'] ?? 'application/json') === type)
      .map((example): [Example, Json] => [example, { value: example.request.body }]);
  const answered = (status: string, type: string, isOnly: boolean) =>
    examples
      .filter((example) => String(example.status) === status && (isOnly || example.type === type))
      .map((example): [Example, Json] => [
        example,
        {
          value: example.answer,
          'x-request': curlOf(method, path, example.request),
          'x-settings': example.settings,
        },
      ]);
  return {
    ...commonParts(operation),
    requestBody: body && {
      required: true,
      description: body.description,
      content: contentObject(body.content, bodies),
    },
    responses: responsesOf(answers, (answer, status) => ({
      ...withoutBody(answer),
      content:
        answer.content &&
        contentObject(answer.content, (type) =>
          answered(status, type, Object.keys(answer.content ?? {}).length === 1),
        ),
    })),
  };
}

/** Returns the description of HEAD, which answers as GET does, without a body. */
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

function commonParts({ id, summary, description, tag, parameters = [], needsKey }: Operation): Json {
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    parameters: parameters.map(({ schema, ...rest }) => ({ ...rest, schema: jsonSchema(schema) })),
    // The empty one: a server without a key asks for none.
    security: needsKey ? [...Object.keys(KEY_SCHEMES).map((name) => ({ [name]: [] })), {}] : [],
  };
}

function responsesOf(answers: Record<number, Answer>, toResponse: (answer: Answer, status: string) => Json) {
  const general = { description: 'An error that any address may answer with.' };
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return { ...mapValues(answers, toResponse), default: { ...general, content } };
}

function withoutBody({ description, headers = [] }: Answer): Json {
  const references = headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(references) };
}

function contentObject(content: Content, examplesOf: (type: string) => [Example, Json][]): Json {
  return mapValues(content, (schema, type) => ({
    schema: jsonSchema(schema),
    examples: Object.fromEntries(
      examplesOf(type).map(([{ title }, example]) => [keyOf(title), { summary: title, ...example }]),
    ),
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
