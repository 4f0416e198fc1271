import { setImmediate as nextTurn } from 'node:timers/promises';

const { fetch } = globalThis;

/**
 * Notices first which connections the server has closed. `fetch` would use one of them, and fail, after the test's own
 * process was busy for longer than the 5 s for which a server keeps an idle connection.
 */
async function steadyFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  // The first turn only ends the one that the caller is in.
  await nextTurn();
  await nextTurn();
  return fetch(...request);
}

// A process that runs several files has it already.
if (fetch.name !== steadyFetch.name) globalThis.fetch = steadyFetch;
