import { BUILD_ID } from '../config/version.server';
import type { ClientConnection } from './guard/client-connection.server';

/** The parts of a request that API handlers use, taken from Node's request or from a `Request`. */
export interface ApiRequest {
  method: string;
  url: URL;
  /** Returns a header's value, whatever the case of its name; null if it wasn't sent. */
  header(name: string): string | null;
  /** Returns the client's address, as in `clientAddress`. */
  address(): string;
  /** Returns a signal that is aborted when the client leaves. */
  signal(): AbortSignal;
  /** The request body as a stream. Stopping early leaves the connection intact. */
  body(): AsyncIterable<Uint8Array>;
}

/** The response of an API handler. */
export interface ApiResponse {
  /** 200 if left out. */
  status?: number;
  headers: Record<string, string>;
  body: ApiBody;
  /** The reason for an error, or for refusing a reading, for the log. */
  detail?: string;
  /** Closes the connection after the response, without reading the rest of the request. */
  closesConnection?: true;
}

/** A complete body, one that is sent no faster than the client reads, or one that writes itself. */
export type ApiBody = string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array> | ConnectionStream | null;

/**
 * A body that lasts until its connection closes. `stream` is called once the headers are sent, and writes
 * straight to the connection.
 */
export interface ConnectionStream {
  stream(connection: ClientConnection): void;
}

/** Answers a request. An error it throws becomes a 500. */
export type ApiHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** Headers for JSON readings; never cached. A page compares `Airboard-Build` with the build it comes from. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Airboard-Build': BUILD_ID,
};

/** Returns a response with `value` as JSON. */
export function jsonResponse(value: unknown, { status, headers }: Partial<ApiResponse> = {}): ApiResponse {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) };
}
