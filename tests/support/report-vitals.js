/**
 * Loaded into a server under test before anything else (`node --import`): on SIGUSR2 it collects garbage
 * and prints a line of what the process holds; on SIGWINCH, which costs nothing, only what keeps its event
 * loop busy. No part of the product.
 */
import { subscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import * as v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const CLASSES = {
  Timeout: setTimeout(() => {}).constructor,
  Socket,
  IncomingMessage,
  ServerResponse,
  ReadableStream,
  AbortSignal,
};

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

process.on('SIGUSR2', async () => {
  // Twice, with a turn in between: what a finalizer lets go of is garbage only then.
  for (let i = 0; i < 2; i++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  // Of the types for Node 20 this function is missing; Node has it from 20.13 on.
  const { queryObjects } = /** @type {any} */ (v8);
  const objects = Object.fromEntries(
    Object.entries(CLASSES).map(([name, of]) => [name, queryObjects(of, { format: 'count' })]),
  );
  const listeners = [process, ...servers].reduce((count, emitter) => count + countListeners(emitter), 0);
  const resources = activeResources();
  print({ heldBytes: heapUsed + external, residentBytes: rss, resources, objects, listeners });
});
