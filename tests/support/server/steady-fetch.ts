import { setImmediate as nextTurn } from 'node:timers/promises';

const { fetch } = globalThis;

/**
 * Lets this process notice closed connections before a request. A server closes idle connections. If the
 * test's process was busy for longer, `fetch` would use a closed one and fail.
 */
async function steadyFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  // The first wait only ends the caller's event-loop turn.
  await nextTurn();
  await nextTurn();
  return fetch(...request);
}

// Already replaced if this process runs several files.
if (fetch.name !== steadyFetch.name) globalThis.fetch = steadyFetch;
