import { setImmediate as nextTurn } from 'node:timers/promises';

const { fetch } = globalThis;

/**
 * Lets this process notice closed connections before a request. Otherwise, `fetch` would use one and fail after the
 * test's process was busy for longer than the 5 s for which a server keeps an idle connection.
 */
async function steadyFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  // The first turn only ends the caller's own.
  await nextTurn();
  await nextTurn();
  return fetch(...request);
}

// A process that runs several files already has it.
if (fetch.name !== steadyFetch.name) globalThis.fetch = steadyFetch;
