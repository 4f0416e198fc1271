import { setMaxListeners } from 'node:events';

/**
 * Returns a signal that is aborted after `ms`, or with another one. Node 20 may collect the signals of `AbortSignal.any` and
 * `AbortSignal.timeout` as garbage before they fire; the timer holds this one.
 *
 * @param {number} ms
 * @param {AbortSignal} [other]
 * @returns {AbortSignal}
 */
export function timeLimit(ms, other) {
  const limit = new AbortController();
  const isUp = () => limit.abort(new DOMException('The time is up.', 'TimeoutError'));
  setTimeout(isUp, ms).unref();
  if (other?.aborted) limit.abort(other.reason);
  else if (other) {
    // Many limits may have the same other signal. Each listens until its time is up.
    setMaxListeners(0, other);
    other.addEventListener('abort', () => limit.abort(other.reason), { signal: limit.signal });
  }
  return limit.signal;
}
