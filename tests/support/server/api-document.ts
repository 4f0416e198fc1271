/** The OpenAPI document in tests: the schemas of its answers, and its examples as requests. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { addressOf, bodyOf, ROUTES } from '../../../app/openapi/document.server';
import type { Example } from '../../../app/openapi/operation.server';

/** An OpenAPI document, with the members that tests use. */
export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
}

export interface ApiOperation {
  parameters: { name: string; in: string; schema: ParameterSchema }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>;
}

interface ParameterSchema {
  type: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  enum?: string[];
}

/**
 * Returns a function that compiles the schema at a path of the document, such as `paths`, `/healthz`, `get`. Objects
 * may only have the members in their schema, so that a new member of an answer is noticed. A client has to ignore such
 * members.
 */
export function schemasOf(document: ApiDocument): (...path: string[]) => ValidateFunction {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(closed(document) as object, 'document');
  return (...path) => {
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    return ajv.compile({ $ref: `document#/${pointer.join('/')}` });
  };
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isClosed = copy.type === 'object' && copy.properties && copy.additionalProperties === undefined;
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

/** An example with its method and path. */
export interface SentExample extends Example {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
}

/** Every example in the order of the routes: posts first, because the others need their readings. */
export const EXAMPLES: SentExample[] = Object.entries(ROUTES).flatMap(([path, route]) =>
  (['post', 'get', 'patch', 'delete'] as const).flatMap((method) =>
    (route[method]?.examples ?? []).map((example) => ({ ...example, method, path })),
  ),
);

/** Sends the request of an example, repeatedly if the answer takes several attempts. */
export async function sendExample(url: string, example: SentExample): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const answer = await send(url, example);
    if (!example.isRepeated || answer.status === example.status || attempt === 20) return answer;
    await answer.body?.cancel();
  }
}

function send(url: string, { method, path, request }: SentExample): Promise<Response> {
  return fetch(url + addressOf(path, request), {
    method: method.toUpperCase(),
    headers: { Accept: '*/*', ...request.headers },
    body: bodyOf(request),
    redirect: 'manual',
  });
}

/** Returns the text of an answer. Reads a stream only to the length of `expected`. */
export async function textOf(answer: Response, expected: unknown): Promise<string> {
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream');
  if (!isStream || typeof expected !== 'string') return answer.text();
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (text.length >= expected.length) break;
  }
  return text;
}

/** Replaces the numbers in a text, so that times, ids and ages don't matter. */
export const withoutNumbers = (text: string): string => text.replace(/-?\d+(\.\d+)?/g, '0');
