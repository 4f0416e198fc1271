/** Sends batches of readings. Repeats a batch until it gets an answer. No reading is stored twice, because each has its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { timeLimit } from '../../app/config/time-limit.server.js';
import { apiAddress } from '../arguments.js';
import { ImportError, problemText } from '../fail.js';

/** @typedef {{ line: number, reading: import('./readings.js').Reading }} Line */
/** @typedef {{ stored: number, known: number, refused: number, problems: { line: number, problem: string, isConflict?: boolean }[] }} Outcome */

const RESPONSE_TIMEOUT_MS = 60_000;
/** Used if the response has no `Retry-After`. */
const DEFAULT_RETRY_AFTER_S = 5;
/** Errors of an established connection, which prove that there is a server. */
const CONNECTION_LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT']);
const RECONNECT_EVERY_MS = 1000;
/** The maximum wait for a server that has answered before. */
const RECONNECT_TIMEOUT_MS = 10 * 60_000;

/**
 * @typedef {object} SenderOptions
 * @property {string} url
 * @property {string | undefined} key sent as `Authorization: Bearer`
 * @property {AbortSignal} signal ends requests and waits
 * @property {(reason: string) => void} onWait
 */

/**
 * Returns a function that sends a batch and returns its outcome. It throws an `ImportError` if the server refuses all batches or
 * no longer answers.
 *
 * @param {SenderOptions} options
 */
export function batchSender({ url, key, signal, onWait }) {
  const address = apiAddress(url, '/api/data');
  /** True after the first connection. Before that, the address may be wrong, or the server may not be running. */
  let isFound = false;

  /** @param {Line[]} lines @returns {Promise<Outcome>} */
  async function send(lines) {
    let giveUpAt = Number.POSITIVE_INFINITY;
    /** The number of readings stored by attempts that failed midway. The next attempt reports them as duplicates. */
    let storedBefore = 0;
    for (;;) {
      signal.throwIfAborted();
      const { status, body, retryAfterS, reason } = await post(
        address,
        lines.map(({ reading }) => reading),
        { key, signal },
      );
      isFound ||= status !== null || CONNECTION_LOST.has(reason);
      if (status === null) {
        if (!isFound)
          throw new ImportError(
            `no server answers at ${url} (${reason}). Start it, or name another one with --url`,
          );
        giveUpAt = Math.min(giveUpAt, Date.now() + RECONNECT_TIMEOUT_MS);
        if (Date.now() > giveUpAt) throw new ImportError(`the server no longer answers (${reason})`);
        onWait(`waiting for the server (${reason})`);
        await sleep(RECONNECT_EVERY_MS, undefined, { signal });
        continue;
      }
      giveUpAt = Number.POSITIVE_INFINITY;
      if (status < 500 && typeof body.stored === 'number') {
        // A report lists at most a hundred refused readings. Sending halves again lists the rest.
        if (body.refused > (body.errors?.length ?? 0) && lines.length > 1) {
          storedBefore += body.stored;
          return withStored(await sendHalves(lines), storedBefore);
        }
        return withStored(outcomeOf(lines, body), storedBefore);
      }
      if (status === 413 && lines.length > 1) {
        return withStored(await sendHalves(lines), storedBefore);
      }
      if (status === 400) return allRefused(lines, body);
      if (status !== 429 && status < 500) throw new ImportError(refusal(status, body));
      storedBefore += body.stored ?? 0;
      onWait(`${body.detail ?? `status ${status}`} Retrying in ${retryAfterS} s`);
      await sleep(retryAfterS * 1000, undefined, { signal });
    }
  }
  return send;

  /** @param {Line[]} lines */
  async function sendHalves(lines) {
    const first = await send(lines.slice(0, lines.length >> 1));
    return both(first, await send(lines.slice(lines.length >> 1)));
  }
}

/**
 * Posts readings. Without a response, `status` is null and `reason` is the cause.
 *
 * @param {URL} address
 * @param {unknown} readings
 * @param {{ key: string | undefined, signal: AbortSignal }} options
 */
export async function post(address, readings, { key, signal }) {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify(readings),
      // Following a redirect would turn the POST into a GET.
      redirect: 'manual',
      signal: timeLimit(RESPONSE_TIMEOUT_MS, signal),
    });
    const retryAfterS = Number(response.headers.get('Retry-After')) || DEFAULT_RETRY_AFTER_S;
    const body = await response.json().catch((error) => {
      if (error instanceof SyntaxError) return {};
      throw error;
    });
    return { status: response.status, body, retryAfterS, reason: '' };
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error);
    return { status: null, body: {}, retryAfterS: 0, reason: cause?.code ?? cause?.message ?? message };
  }
}

/** Matches the server's message for a conflict (`conflictDetail` in app/ingest). */
const CONFLICT = /^is the time of a reading that is stored with /;

/**
 * @param {Line[]} lines
 * @param {any} body the answer to a batch
 * @returns {Outcome}
 */
function outcomeOf(lines, { stored, duplicates, refused, errors = [] }) {
  const problems = errors.map((/** @type {any} */ { item, errors }) => ({
    line: lines[item]?.line ?? 0,
    isConflict: errors.some((/** @type {any} */ { detail }) => CONFLICT.test(detail)),
    problem: problemText(null, { errors }),
  }));
  return { stored, known: duplicates, refused, problems };
}

/**
 * @param {Line[]} lines
 * @param {any} body an RFC 9457 problem
 * @returns {Outcome}
 */
function allRefused(lines, { detail = 'refused by the server' }) {
  return {
    stored: 0,
    known: 0,
    refused: lines.length,
    problems: [{ line: lines[0]?.line ?? 0, problem: detail }],
  };
}

/**
 * Counts duplicates as stored if an earlier attempt stored them.
 *
 * @param {Outcome} outcome
 * @param {number} storedBefore
 * @returns {Outcome}
 */
function withStored(outcome, storedBefore) {
  const moved = Math.min(storedBefore, outcome.known);
  return { ...outcome, stored: outcome.stored + moved, known: outcome.known - moved };
}

/** @param {Outcome} a @param {Outcome} b @returns {Outcome} */
function both(a, b) {
  return {
    stored: a.stored + b.stored,
    known: a.known + b.known,
    refused: a.refused + b.refused,
    problems: [...a.problems, ...b.problems],
  };
}

/**
 * Returns the reason why the server refuses all batches. Like other `ImportError` messages, it has no full stop.
 *
 * @param {number} status
 * @param {any} body
 */
function refusal(status, { detail = `status ${status}` }) {
  const hint = status === 401 ? " Set WRITE_KEY to the server's key" : '';
  return `the server refuses readings: ${hint ? detail + hint : detail.replace(/\.$/, '')}`;
}
