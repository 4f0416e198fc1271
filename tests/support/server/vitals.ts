import { expect } from 'vitest';
import { until } from '../until';
import type { RunningServer } from './server';

/** Resources of a server process after a garbage collection. */
export interface Vitals {
  /** Bytes of the heap in use, and of buffers outside it. */
  heldBytes: number;
  /** Resident set size in bytes. */
  residentBytes: number;
  /** Active resources of the event loop by kind, such as sockets and timers. */
  resources: Record<string, number>;
  /** Reachable objects by class. */
  objects: Record<string, number>;
  /** Event listeners on the process and its servers. */
  listeners: number;
}

/** Makes a server report its vitals; for the `env` of `startServer`. */
export const WITH_VITALS = {
  NODE_OPTIONS: `--import ${new URL('report-vitals.js', import.meta.url).href}`,
};

/** Collects garbage in a server started `WITH_VITALS` and returns its vitals. */
function readVitals(server: RunningServer): Promise<Vitals> {
  return ask(server, 'SIGUSR2');
}

/** Counting the reachable objects takes up to three seconds, and many times that on a busy machine. */
const REPORT_MS = 100_000;

async function ask(server: RunningServer, signal: NodeJS.Signals): Promise<Vitals> {
  const reports = () => server.output().match(/^\[vitals\] .*\n/gm) ?? [];
  const before = reports().length;
  process.kill(server.pid, signal);
  const line = await until(() => reports()[before], REPORT_MS);
  return JSON.parse(line.slice('[vitals] '.length));
}

/** Collects garbage and returns the bytes held, which is faster than all vitals. */
export async function readHeldBytes(server: RunningServer): Promise<number> {
  return (await ask(server, 'SIGIO')).heldBytes;
}

/** Returns the active resources without a garbage collection, which would slow a busy server. */
export async function activeResources(server: RunningServer): Promise<Vitals['resources']> {
  return (await ask(server, 'SIGWINCH')).resources;
}

/** Waits until the server has no connections, timers or running computations, and returns its vitals. */
export function vitalsAtRest(server: RunningServer): Promise<Vitals> {
  return until(async () => {
    if (!isAtRest(await activeResources(server))) return null;
    // A connection in the backlog may have been accepted since.
    const vitals = await readVitals(server);
    return isAtRest(vitals.resources) ? vitals : null;
  }, REPORT_MS);
}

const isAtRest = ({ TCPSocketWrap = 0, Timeout = 0, Immediate = 0 }: Vitals['resources']) =>
  TCPSocketWrap === 0 && Timeout === 0 && Immediate === 0;

export const MiB = 1024 * 1024;

/** Formats bytes for docs/promises.md. */
export function inMiB(bytes: number): string {
  return `${(bytes / MiB).toFixed(1)} MiB`;
}

/** Normal variation of the heap: code compiled late, buffers freed later. */
const NOISE_BYTES = 12 * MiB;
/** Objects of the last requests that are released by the next one. */
const NOISE_OBJECTS = 10;

/** Expects a server at rest to hold no more than before. */
export function expectNoGrowth(before: Vitals, after: Vitals): void {
  expect(after.heldBytes - before.heldBytes).toBeLessThan(NOISE_BYTES);
  for (const [name, count] of Object.entries(after.objects)) {
    expect(count - (before.objects[name] ?? 0), `more objects of ${name}`).toBeLessThan(NOISE_OBJECTS);
  }
  expect(after.resources).toEqual(before.resources);
  expect(after.listeners).toBe(before.listeners);
}

/** Makes a server measure how long its event loop is held; for the `env` of `startServer`. */
export const WITH_HOLDS = {
  NODE_OPTIONS: `--import ${new URL('report-holds.js', import.meta.url).href}`,
};

/** The time that the event loop was held, without waits for a processor, and the processor time during it. */
export interface Hold {
  heldMs: number;
  processorMs: number;
}

/** Returns the longest hold of the event loop since the last call, for a server started `WITH_HOLDS`. */
export async function longestHold(server: RunningServer): Promise<Hold> {
  const reports = () => server.output().match(/(?<=^\[holds\] ).*(?=\n)/gm) ?? [];
  const before = reports().length;
  process.kill(server.pid, 'SIGWINCH');
  const [heldMs = 0, processorMs = 0] = (await until(() => reports()[before])).split(' ').map(Number);
  return { heldMs, processorMs };
}

/** Returns the processor time of this process in milliseconds, which other processes don't affect. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
