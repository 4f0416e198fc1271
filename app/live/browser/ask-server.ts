import { atBase } from '../../base-path';
import type { FieldError } from '../../readings/field-error';
import { isInForeignFrame } from './foreign-frame';
import type { ServerClock } from './server-clock';

const TIMEOUT_MS = 10_000;
/**
 * The longest wait for `Retry-After`. An overloaded server asks for less. After a fault that a person has to fix it
 * asks for more, but the viewer wants to see the page as soon as it is fixed.
 */
const LONGEST_WAIT_MS = 10_000;

export interface ServerRequest extends RequestInit {
  /** The longest wait in milliseconds for the response, and then for each next part of its body. */
  timeoutMs?: number;
  /** The server's `WRITE_KEY`, if it has one. */
  writeKey?: string | null;
}

export interface ServerAnswer<T> {
  value: T;
  /** From the `Date` header, which has whole seconds; undefined without one. */
  clock?: ServerClock;
  /** From the `Airboard-Deletions` header: changes when readings were deleted or brought back. */
  deletions?: string;
}

/** The server's description of a failed request (RFC 9457). */
export interface Problem {
  detail: string;
  errors?: FieldError[];
  /** True if the readings of a post may be stored although it failed. */
  mayBeStored?: boolean;
}

/** The error of a failed request. Its message is for the viewer. */
export class ServerError extends Error {
  constructor(
    message: string,
    /** Undefined without a complete response. */
    readonly status?: number,
    /** Undefined if the response isn't from airboard. */
    readonly problem?: Problem,
  ) {
    super(message);
  }
}

/**
 * Requests JSON. Throws `ServerError` with the server's reason, or if the server can't be reached or something other
 * than airboard has answered.
 */
export async function askServer<T>(address: string, request: ServerRequest = {}): Promise<ServerAnswer<T>> {
  return exchange(address, request, async (response, onPart) => {
    const { ok, status, headers } = response;
    const serverTime = timeOf(headers);
    const clock = serverTime === undefined ? undefined : { serverTime, viewerTime: performance.now() };
    const isJson = /^application\/(problem\+)?json\b/.test(headers.get('Content-Type') ?? '');
    if (isJson) notePartsOf(response.clone(), onPart);
    const body = isJson ? await response.json() : undefined;
    const deletions = headers.get('Airboard-Deletions') ?? undefined;
    if (ok && isJson) return { value: body, clock, deletions };
    if (ok)
      throw new ServerError(
        "Something other than airboard has answered, such as a network's sign-in page.",
        status,
      );
    const problem: Problem | undefined = typeof body?.detail === 'string' ? body : undefined;
    throw new ServerError(problem?.detail ?? `The server answered with status ${status}.`, status, problem);
  });
}

/** Requests an address without reading the body. Throws `ServerError` if the server can't be reached. */
export function askResponse(address: string, request: ServerRequest = {}): Promise<Response> {
  return exchange(address, request, async (response) => response);
}

async function exchange<T>(
  address: string,
  { timeoutMs = TIMEOUT_MS, writeKey, signal, ...init }: ServerRequest,
  use: (response: Response, onPart: () => void) => Promise<T>,
): Promise<T> {
  if (writeKey && !isPossibleKey(writeKey)) {
    const detail = "That isn't a valid write key.";
    throw new ServerError(detail, 401, { detail });
  }
  if (isWrite(init.method) && isInForeignFrame())
    throw new ServerError('A frame of another site only shows readings. Open airboard in a tab of its own.');
  const path = address.replace(/[?#].*/, '');
  // Only reads wait, because they repeat automatically; a viewer's post doesn't.
  const isRepeated = (init.method ?? 'GET') === 'GET' && !writeKey;
  const waitMs = isRepeated ? (waitUntil.get(path) ?? 0) - performance.now() : 0;
  if (waitMs > 0) await wait(waitMs, signal);
  const own = new AbortController();
  const abort = () => own.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(abort, timeoutMs);
  const waitOn = () => {
    // The last part may be noted after the end.
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(abort, timeoutMs);
  };
  const headers = new Headers(init.headers);
  if (writeKey) headers.set('Authorization', `Bearer ${writeKey}`);
  try {
    const response = await fetch(address.startsWith('/') ? atBase(address) : address, {
      ...init,
      headers,
      signal: own.signal,
    });
    noteRetryAfter(path, response);
    // The `READ_KEY` was changed, or forgotten in another tab: instead of this page, the server sends the form for the key.
    if (response.status === 401 && response.headers.has('Airboard-Build')) location.reload();
    waitOn();
    return await use(response, waitOn);
  } catch (error) {
    throw error instanceof ServerError ? error : new ServerError("The server can't be reached.");
  } finally {
    clearTimeout(timer);
    timer = undefined;
    signal?.removeEventListener('abort', abort);
  }
}

const isWrite = (method = 'GET') => method !== 'GET' && method !== 'HEAD';

/**
 * Calls `onPart` for each part of the body: a long answer over a slow line is no failure as long as it goes on. Takes a
 * copy of the response, because Chromium closes the connection after about half of the responses whose own body was
 * read in parts, and reports them as aborted (`net::ERR_ABORTED`).
 */
async function notePartsOf({ body }: Response, onPart: () => void): Promise<void> {
  const reader = body?.getReader();
  try {
    while (reader && !(await reader.read()).done) onPart();
  } catch {
    // Reading the response itself fails too.
  }
}

/** Other characters can't be sent in a header, so no server has such a key. */
function isPossibleKey(writeKey: string): boolean {
  return /^[!-~]+$/.test(writeKey);
}

/** The times, by `performance.now()`, before which the server doesn't want requests for these paths. */
const waitUntil = new Map<string, number>();

function noteRetryAfter(path: string, { status, headers }: Response): void {
  if (status !== 503 && status !== 429) return;
  const waitMs = retryAfterMs(headers);
  if (waitMs > 0) waitUntil.set(path, performance.now() + Math.min(waitMs, LONGEST_WAIT_MS));
}

/** Returns the milliseconds of `Retry-After`, which contains seconds or a date; 0 without one. */
function retryAfterMs(headers: Headers): number {
  const header = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  return Date.parse(header) - (timeOf(headers) ?? Date.now()) || 0;
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

function timeOf(headers: Headers): number | undefined {
  const time = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}
