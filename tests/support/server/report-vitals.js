/**
 * Reports the resources of a server under test. `node --import` loads it into the server. Each of these
 * signals prints one line:
 *
 * - SIGWINCH: the active resources. Costs nothing.
 * - SIGIO: the memory after a garbage collection.
 * - SIGUSR2: memory, active resources, listeners and reachable objects. Takes a second.
 */
import { subscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { Stream } from 'node:stream';
import * as v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Counting each class takes 0.4 s. A `Stream` is a socket, a request or a response. */
const CLASSES = { Timeout: setTimeout(() => {}).constructor, Stream, ReadableStream, AbortSignal };

/** @type {Set<import('node:events').EventEmitter>} */
const servers = new Set();
subscribe('net.server.socket', (message) => {
  servers.add(/** @type {any} */ (message).socket.server);
});

/** @param {import('node:events').EventEmitter} emitter */
function countListeners(emitter) {
  return emitter.eventNames().reduce((count, name) => count + getEventListeners(emitter, name).length, 0);
}

function activeResources() {
  /** @type {Record<string, number>} */
  const resources = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return resources;
}

/** @param {object} vitals */
function print(vitals) {
  process.stdout.write(`[vitals] ${JSON.stringify(vitals)}\n`);
}

process.on('SIGWINCH', () => print({ resources: activeResources() }));

process.on('SIGIO', async () => print(await memory()));

process.on('SIGUSR2', async () => {
  const { heldBytes, residentBytes } = await memory();
  // Node has had `queryObjects` since 20.13. The types for Node 20 lack it.
  const { queryObjects } = /** @type {any} */ (v8);
  const objects = Object.fromEntries(
    Object.entries(CLASSES).map(([name, of]) => [name, queryObjects(of, { format: 'count' })]),
  );
  const listeners = [process, ...servers].reduce((count, emitter) => count + countListeners(emitter), 0);
  const resources = activeResources();
  print({ heldBytes, residentBytes, resources, objects, listeners });
});

async function memory() {
  // Twice, since objects released by a finalizer become garbage only after the first collection.
  for (let i = 0; i < 2; i++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heldBytes: heapUsed + external, residentBytes: rss };
}
