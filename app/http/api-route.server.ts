import type { LoaderFunctionArgs } from '@remix-run/node';
import { type ClientConnection, currentConnection } from './client-connection.server';

/** What a route of the API is asked: of a `Request` what it needs. */
export interface ApiRequest {
  method: string;
  url: URL;
  /** A header's value, whatever the case of its name; null where it was not sent. */
  header(name: string): string | null;
  /** The body as it arrives. Who stops taking leaves the rest, and the connection, as they are. */
  body(): AsyncIterable<Uint8Array>;
  /** Who the answer goes to. */
  client(): ClientConnection;
}

/** What it answers: what a `Response` is made of. */
export interface ApiResponse {
  status?: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null;
}

/** Answers a request. What it throws becomes a 500. */
export type ApiHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** A `loader` or `action` that the front door, too, can call: by its `handler`, with what Node gave it. */
export interface ApiFunction {
  (args: LoaderFunctionArgs): Promise<Response>;
  handler: ApiHandler;
}

/** Makes of a handler what Remix wants to find in a resource route. */
export function apiFunction(handler: ApiHandler): ApiFunction {
  const call = async ({ request }: LoaderFunctionArgs) => {
    const { body, ...init } = await handler(fromRemix(request));
    return new Response(body, init);
  };
  return Object.assign(call, { handler });
}

function fromRemix({ method, url, headers, body }: Request): ApiRequest {
  return {
    method,
    url: new URL(url),
    header: (name) => headers.get(name),
    async *body() {
      const reader = body?.getReader();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
    },
    client: currentConnection,
  };
}

/** Of readings as JSON, which nothing in between is to keep. */
export const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** A value as JSON, with status 200 if none is named. */
export function jsonResponse(value: unknown, { status, headers }: Partial<ApiResponse> = {}): ApiResponse {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) };
}
