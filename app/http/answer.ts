/** An API request and its answer, in the types that `http`, `ingest`, `sources` and `live` share. */

import type { FieldError } from '../readings/field-error';
import { ReadingRejectedError, StoreUnavailableError } from '../store/reading-store';

export interface ApiRequest {
  method: string;
  url: URL;
  /** Returns a header's value; null if it wasn't sent. */
  header(name: Lowercase<string>): string | null;
  /** The address that the request counts for, as in `clientAddress`. */
  address(): string;
  /** Aborted when the client leaves. */
  signal(): AbortSignal;
  /** Calls `take` with each part of the body until it returns false. Resolves to false if the body breaks off. */
  body(take: (part: Uint8Array) => boolean): Promise<boolean>;
}

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

/** The connection to a client, for a body that writes itself. */
export interface ClientConnection {
  write(bytes: Uint8Array): void;
  /** The written bytes that the client hasn't read yet. */
  pendingBytes(): number;
  /** Resolves once the client has room for more: to true while it is connected. */
  drained(): Promise<boolean>;
  end(): void;
  disconnect(): void;
  /** Calls `listener` once the connection has closed, even if it closed before. */
  onClose(listener: () => void): void;
}

/** Answers a request. An error it throws becomes a 500. */
export type ApiHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** A resource route of the API. Its handlers have Remix's names, so that its build keeps them out of the browser. */
export interface ApiRoute {
  /** Answers GET and HEAD. Left out where there is nothing to read. */
  loader?: ApiHandler;
  action?: ApiHandler;
}

export type ApiRoutes = Readonly<Record<string, ApiRoute>>;

export interface Refusal {
  status: number;
  detail: string;
  errors?: FieldError[];
  /** More members of the body: the report of a batch, or the readings that are in conflict. */
  members?: Record<string, unknown>;
  /** Set if sending the readings again could store some of them twice. */
  mayBeStored?: true;
  headers?: Record<string, string>;
  /** Set if the rest of the request isn't read. */
  closesConnection?: true;
}

/** The outcome of a write: a status, a JSON value and a line for the log; or a refusal. */
export type WriteAnswer =
  | { ok: true; status: number; value: unknown; detail?: string }
  | ({ ok: false } & Refusal);

/** Returns the refusal for an error of the store. Throws any other error again. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ReadingRejectedError) return { status: 400, detail: error.message };
  if (!(error instanceof StoreUnavailableError)) throw error;
  const headers = { 'Retry-After': String(error.retryAfterSeconds) };
  return { status: 503, detail: error.message, headers };
}
