/** The types of API requests and responses that `http`, `ingest`, `sources` and `live` share. */

import type { FieldError } from '../readings/field-error';
import { ReadingRejectedError, SensorRefusedError, StoreUnavailableError } from '../store/reading-store';

/** The request headers, besides `Accept-Encoding`, that an API's answer to a read may depend on. */
export const VARYING = ['accept', 'if-none-match', 'last-event-id'] as const;

/** A header that handlers of reads may use: each is part of the question. */
export type VaryingHeader = (typeof VARYING)[number] | 'accept-encoding';

/** The headers that only writes and access to readings depend on. */
type WriteHeader =
  | 'authorization'
  | 'cookie'
  | 'content-length'
  | 'content-type'
  | 'host'
  | 'origin'
  | 'sec-fetch-site'
  | 'x-forwarded-host'
  | 'x-forwarded-proto'
  | 'x-sensor';

export interface ApiRequest {
  method: string;
  url: URL;
  /** Equal for two reads if one answer fits both; see `questionOf`. */
  question(): string;
  /** Returns a header's value; null if it wasn't sent. */
  header(name: VaryingHeader | WriteHeader): string | null;
  /** The IP address that limits per client apply to; see `clientAddress`. */
  address(): string;
  /** Aborted when the client disconnects. */
  signal(): AbortSignal;
  /** Calls `take` with each chunk of the body until it returns false. Resolves to false if the body is cut off. */
  body(take: (part: Uint8Array) => boolean): Promise<boolean>;
}

export interface ApiResponse {
  /** 200 if left out. */
  status?: number;
  headers: Record<string, string>;
  body: ApiBody;
  /** For the log: the reason for an error or a rejected reading. */
  detail?: string;
  /** Closes the connection after the response, without reading the rest of the request. */
  closesConnection?: true;
}

/** A complete body, a stream that waits for a slow client, or a body that writes to the connection. */
export type ApiBody = string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array> | ConnectionStream | null;

/**
 * A body that lasts until its connection closes. `stream` is called once the headers are sent, and writes
 * straight to the connection.
 */
interface ConnectionStream {
  stream(connection: ClientConnection): void;
}

export interface ClientConnection {
  write(bytes: Uint8Array): void;
  /** The written bytes that the client hasn't read yet. */
  pendingBytes(): number;
  /** The bytes that the operating system has taken for the client. They grow while the client reads. */
  takenBytes(): number;
  /** Resolves to true once the client can take more, or to false if it disconnects. */
  drained(): Promise<boolean>;
  end(): void;
  disconnect(): void;
  /** Calls `listener` once the connection has closed, even if it closed before. */
  onClose(listener: () => void): void;
}

/** Answers a request. An error it throws becomes a 500. */
export type ApiHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** An API route. Its handlers use Remix's names so that the Remix build keeps them out of the browser. */
interface ApiRoute {
  /** Answers GET and HEAD. Absent if nothing can be read. */
  loader?: ApiHandler;
  /** Answers the other methods. */
  action?: ApiHandler;
  /** The methods of `action`; only POST if left out. */
  actionMethods?: readonly string[];
  /**
   * The method that needs no `READ_KEY`: `GET`, with `HEAD`, if it tells nothing about the air, or the `POST` of devices. An answer
   * to such a post must not tell what is stored.
   */
  openMethod?: 'GET' | 'POST';
}

export type ApiRoutes = Readonly<Record<string, ApiRoute>>;

export interface Refusal {
  status: number;
  detail: string;
  errors?: FieldError[];
  /** Extra members of the body: a batch's report or the conflicting readings. */
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

/** Returns the refusal for a store error. Rethrows any other error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof SensorRefusedError) {
    const errors = [{ field: 'sensor', detail: error.reason }];
    return { status: error.isFull ? 409 : 400, detail: error.message, errors };
  }
  if (error instanceof ReadingRejectedError) return { status: 400, detail: error.message };
  if (!(error instanceof StoreUnavailableError)) throw error;
  const headers = { 'Retry-After': String(error.retryAfterSeconds) };
  return { status: 503, detail: error.message, headers };
}
