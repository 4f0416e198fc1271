import { ReadableStream } from 'node:stream/web';
import type { LoaderFunctionArgs } from '@remix-run/node';
import type { ApiBody, ApiHandler, ApiRequest, ConnectionStream } from './api-handler.server';
import { clientAddress } from './guard/client-address.server';

/** A `loader` or `action` for Remix, and the handler that the request guard calls instead. */
export interface ApiFunction {
  (args: LoaderFunctionArgs): Promise<Response>;
  handler: ApiHandler;
}

/** A Remix resource route of the API. */
export interface ApiRoute {
  /** Left out where there is nothing to read. */
  loader?: ApiFunction;
  action?: ApiFunction;
}

/** The API's routes by their paths, such as `/api/data`. */
export type ApiRoutes = Readonly<Record<string, ApiRoute>>;

/** Makes a `loader` or `action` of a resource route from a handler. */
export function apiFunction(handler: ApiHandler): ApiFunction {
  const call = async ({ request }: LoaderFunctionArgs) => {
    const { status, headers, body, closesConnection } = await handler(fromRequest(request));
    return new Response(responseBody(body, request.signal), {
      status,
      headers: closesConnection ? { ...headers, Connection: 'close' } : headers,
    });
  };
  return Object.assign(call, { handler });
}

function fromRequest({ method, url, headers, body, signal }: Request): ApiRequest {
  return {
    method,
    url: new URL(url),
    header: (name) => headers.get(name),
    // Remix hands over no connection. The request guard, which answers for it, does.
    address: () => clientAddress(undefined, headers.get('X-Forwarded-For')),
    signal: () => signal,
    async *body() {
      const reader = body?.getReader();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
    },
  };
}

function responseBody(body: ApiBody, signal: AbortSignal): BodyInit | null {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return body;
  // The DOM's type of ReadableStream lacks `from`.
  const stream = 'stream' in body ? readableOf(body, signal) : ReadableStream.from(body);
  return stream as globalThis.ReadableStream;
}

/** Turns a body that writes to its connection into a `ReadableStream`. */
function readableOf({ stream }: ConnectionStream, signal: AbortSignal): globalThis.ReadableStream {
  const bytes = new ByteLengthQueuingStrategy({ highWaterMark: 1 });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({}, bytes);
  const writer = writable.getWriter();
  const ignore = () => {};
  const disconnect = () => void writer.abort().catch(ignore);
  if (signal.aborted) disconnect();
  signal.addEventListener('abort', disconnect, { once: true });
  stream({
    write: (part) => void writer.write(part).catch(ignore),
    pendingBytes: () => 1 - (writer.desiredSize ?? 1),
    drained: () =>
      writer.ready.then(
        () => true,
        () => false,
      ),
    end: () => void writer.close().catch(ignore),
    disconnect,
    onClose: (listener) => void writer.closed.then(listener, listener),
  });
  return readable;
}
