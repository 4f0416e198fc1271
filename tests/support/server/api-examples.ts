import { bodyOf, ROUTES } from '../../../app/openapi/document.server';
import type { Example } from '../../../app/openapi/operation.server';

/** An example with the method and path that it belongs to. */
export interface SentExample extends Example {
  method: 'get' | 'post';
  path: string;
}

/** Every example in the order of the routes, those of a route's posts first: the others read what these store. */
export const EXAMPLES: SentExample[] = Object.entries(ROUTES).flatMap(([path, route]) =>
  (['post', 'get'] as const).flatMap((method) =>
    (route[method]?.examples ?? []).map((example) => ({ ...example, method, path })),
  ),
);

/** Sends the request of an example, and again until it gets its answer where that takes several. */
export async function sendExample(url: string, example: SentExample): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const answer = await send(url, example);
    if (!example.isRepeated || answer.status === example.status || attempt === 20) return answer;
    await answer.body?.cancel();
  }
}

function send(url: string, { method, path, request }: SentExample): Promise<Response> {
  const query = new URLSearchParams(request.query).toString();
  return fetch(`${url}${path}${query && `?${query}`}`, {
    method: method.toUpperCase(),
    headers: { Accept: '*/*', ...request.headers },
    body: bodyOf(request),
  });
}

/** Returns the text of an answer; of a stream as much as `expected` is long. */
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

/** Replaces the numbers of a text, so that times, ids and ages don't matter. */
export const withoutNumbers = (text: string): string => text.replace(/-?\d+(\.\d+)?/g, '0');
