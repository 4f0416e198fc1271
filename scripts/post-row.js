import { setTimeout as sleep } from 'node:timers/promises';

const RESPONSE_TIMEOUT_MS = 30_000;
/** Applies if the response has no `Retry-After`. */
const DEFAULT_RETRY_AFTER_S = 5;
/** A restarted server is back within this time; a longer absence ends the replay. */
const RECONNECT_TIMEOUT_MS = 30_000;
const RECONNECT_EVERY_MS = 500;

/** Errors of a connection that was never made, so that nothing was sent over it. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * The outcome of a post. `unknown`: the row may or may not be stored. `fatal`: it isn't stored, and every further
 * row would fail in the same way.
 *
 * @typedef {{ kind: 'stored' | 'rejected' | 'unknown' | 'fatal', reason: string }} PostResult
 *
 * @typedef {object} PostOptions
 * @property {string | undefined} key sent as `Authorization: Bearer`
 * @property {boolean} retryIfUnreachable waits up to 30 s for a server that can't be reached
 * @property {AbortSignal} signal ends the waiting: `postRow` then rejects with an AbortError
 * @property {(reason: string) => void} onWait
 */

/**
 * Posts one row, and retries only if it is certain that the row wasn't stored.
 *
 * @param {string} url
 * @param {{ co2: string, voc: string, sensor?: string }} row unchanged from the file: the server validates it
 * @param {PostOptions} options
 * @returns {Promise<PostResult>}
 */
export async function postRow(url, row, { key, retryIfUnreachable, signal, onWait }) {
  const reconnectUntil = Date.now() + RECONNECT_TIMEOUT_MS;
  for (;;) {
    const { status, reason, retryAfterS, mayBeStored } = await send(url, row, key);
    if (status === 201) return { kind: 'stored', reason };
    if (status === 400) return { kind: 'rejected', reason };
    if (status === 429 || (status === 503 && !mayBeStored)) {
      onWait(`${reason} Retrying in ${retryAfterS} s`);
      await sleep(retryAfterS * 1000, undefined, { signal });
    } else if (status === 'not sent' && retryIfUnreachable && Date.now() < reconnectUntil) {
      onWait(`Waiting for the server (${reason})`);
      await sleep(RECONNECT_EVERY_MS, undefined, { signal });
    } else if (status === 'not sent') {
      const advice = 'Start the server, or name another one with --url.';
      return { kind: 'fatal', reason: `no server answers at ${url} (${reason}). ${advice}` };
    } else if (status === 'no response' || status >= 500) {
      return { kind: 'unknown', reason: `not known whether it was stored, not sent again: ${reason}` };
    } else {
      const hint = status === 401 ? " Set WRITE_KEY to the server's key." : '';
      return { kind: 'fatal', reason: `the server refuses posts: ${reason}${hint}` };
    }
  }
}

/**
 * @param {string} url
 * @param {object} row
 * @param {string | undefined} key
 * @returns {Promise<{ status: number | 'not sent' | 'no response', reason: string, retryAfterS: number, mayBeStored?: boolean }>}
 */
async function send(url, row, key) {
  try {
    const response = await fetch(new URL('/api/data', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify(row),
      // Following a redirect would turn the POST into a GET.
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const retryAfterS = Number(response.headers.get('Retry-After')) || DEFAULT_RETRY_AFTER_S;
    const body = await response.text().catch(() => '');
    return { status: response.status, retryAfterS, ...parseProblem(response.status, body) };
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error);
    const reason = cause?.code ?? cause?.message ?? message;
    const status = NOT_CONNECTED.has(cause?.code ?? '') ? 'not sent' : 'no response';
    return { status, reason, retryAfterS: DEFAULT_RETRY_AFTER_S };
  }
}

/**
 * Returns the reason from a problem body (RFC 9457) in one line, and its `mayBeStored`.
 *
 * @param {number} status
 * @param {string} body
 * @returns {{ reason: string, mayBeStored?: boolean }}
 */
function parseProblem(status, body) {
  try {
    const { detail, errors = [], mayBeStored } = JSON.parse(body);
    /** @type {import('../app/readings/field-error').FieldError[]} */
    const fieldErrors = errors;
    const fields = fieldErrors.map((error) => `${error.field} ${error.detail}`);
    return { reason: fields.length > 0 ? fields.join('; ') : (detail ?? `status ${status}`), mayBeStored };
  } catch {
    return { reason: `status ${status}` };
  }
}
