import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_WITHIN_MS = 30_000;
/** Where the server does not say when to try again. */
const RETRY_AFTER_S = 5;
/** A server that is restarted is back within this; a longer absence ends the replay. */
const BACK_WITHIN_MS = 30_000;
const RECONNECT_EVERY_MS = 500;

/** No connection was made, so nothing was sent over it. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Why no further row can be sent: each would meet the same. */
export class ReplayStopped extends Error {}

/**
 * @typedef {{ kind: 'stored' | 'refused' | 'unknown', reason: string }} RowOutcome
 *
 * @typedef {object} PostOptions
 * @property {string | undefined} key goes along as `Authorization: Bearer`
 * @property {boolean} isWaitedFor whether a server that can't be reached is waited for
 * @property {AbortSignal} signal ends the waiting
 * @property {(reason: string) => void} onWait
 */

/**
 * Sends one row, and again only where it is certain that it was not stored.
 *
 * @param {string} url
 * @param {{ co2: string, voc: string }} row as it stands in the file: the server judges it
 * @param {PostOptions} options
 * @returns {Promise<RowOutcome>}
 * @throws {ReplayStopped}
 */
export async function postRow(url, row, { key, isWaitedFor, signal, onWait }) {
  const giveUpAt = Date.now() + BACK_WITHIN_MS;
  for (;;) {
    const { status, reason, retryAfterS, mayBeStored } = await send(url, row, key);
    if (status === 201) return { kind: 'stored', reason };
    if (status === 400) return { kind: 'refused', reason };
    if (status === 429 || (status === 503 && !mayBeStored)) {
      onWait(`${reason} Trying again in ${retryAfterS} s`);
      await sleep(retryAfterS * 1000, undefined, { signal });
    } else if (status === 'not sent' && isWaitedFor && Date.now() < giveUpAt) {
      onWait(`The server is gone (${reason}). Waiting for it`);
      await sleep(RECONNECT_EVERY_MS, undefined, { signal });
    } else if (status === 'not sent') {
      throw new ReplayStopped(`no server answers at ${url} (${reason}). Start it, or name it by --url.`);
    } else if (status === 'no answer' || status >= 500) {
      return { kind: 'unknown', reason: `not known whether it was stored, not sent again: ${reason}` };
    } else {
      const hint = status === 401 ? ' Set WRITE_KEY to the key the server was started with.' : '';
      throw new ReplayStopped(`the server refuses to store: ${reason}${hint}`);
    }
  }
}

/**
 * @param {string} url
 * @param {object} row
 * @param {string | undefined} key
 * @returns {Promise<{ status: number | 'not sent' | 'no answer', reason: string, retryAfterS: number, mayBeStored?: boolean }>}
 */
async function send(url, row, key) {
  try {
    const response = await fetch(new URL('/api/data', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify(row),
      // Followed, a redirect would turn the POST into a GET.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const retryAfterS = Number(response.headers.get('Retry-After')) || RETRY_AFTER_S;
    const body = await response.text().catch(() => '');
    return { status: response.status, retryAfterS, ...reasonOf(response.status, body) };
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error);
    const reason = cause?.code ?? cause?.message ?? message;
    const status = NOT_CONNECTED.has(cause?.code ?? '') ? 'not sent' : 'no answer';
    return { status, reason, retryAfterS: RETRY_AFTER_S };
  }
}

/**
 * What a problem body says, in one line, and whether the row may have been stored all the same.
 *
 * @param {number} status
 * @param {string} body
 * @returns {{ reason: string, mayBeStored?: boolean }}
 */
function reasonOf(status, body) {
  try {
    const { detail, errors = [], mayBeStored } = JSON.parse(body);
    const fields = errors.map(
      (/** @type {{ field: string, detail: string }} */ e) => `${e.field} ${e.detail}`,
    );
    return { reason: fields.length > 0 ? fields.join('; ') : (detail ?? `status ${status}`), mayBeStored };
  } catch {
    return { reason: `status ${status}` };
  }
}
