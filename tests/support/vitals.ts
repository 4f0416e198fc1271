import { expect } from 'vitest';
import type { RunningServer } from './server';
import { until } from './until';

/** What a server process holds, after its garbage has been collected. */
export interface Vitals {
  /** Bytes of objects, and of buffers outside of the heap. */
  heldBytes: number;
  /** Bytes the process has from the system. */
  residentBytes: number;
  /** What keeps its event loop busy, by kind: sockets, timers. */
  resources: Record<string, number>;
  /** Objects that are reachable, by class. */
  objects: Record<string, number>;
  /** Listeners on the process and on its servers. */
  listeners: number;
}

/** Makes a server report its vital signs; for the `env` of `startServer`. */
export const WITH_VITALS = {
  NODE_OPTIONS: `--import ${new URL('report-vitals.js', import.meta.url).href}`,
};

/** Asks a server that was started `WITH_VITALS` what it holds now. */
export function readVitals(server: RunningServer): Promise<Vitals> {
  return ask(server, 'SIGUSR2');
}

async function ask(server: RunningServer, signal: NodeJS.Signals): Promise<Vitals> {
  const reports = () => server.output().match(/^\[vitals\] .*\n/gm) ?? [];
  const before = reports().length;
  process.kill(server.pid, signal);
  const line = await until(() => reports()[before]);
  return JSON.parse(line.slice('[vitals] '.length));
}

/** What keeps its event loop busy: asked without collecting garbage, which a busy server would feel. */
export async function activeResources(server: RunningServer): Promise<Vitals['resources']> {
  return (await ask(server, 'SIGWINCH')).resources;
}

/** Waits until the server holds no client's connection any more, and gives what it holds then. */
export function vitalsAtRest(server: RunningServer): Promise<Vitals> {
  return until(async () => {
    if (!isAtRest(await activeResources(server))) return null;
    // A connection that had waited to be accepted may have come meanwhile.
    const vitals = await readVitals(server);
    return isAtRest(vitals.resources) ? vitals : null;
  }, 60_000);
}

const isAtRest = ({ TCPSocketWrap = 0, Timeout = 0 }: Vitals['resources']) =>
  TCPSocketWrap === 0 && Timeout === 0;

export const MiB = 1024 * 1024;

/** As a README shows it. */
export function inMiB(bytes: number): string {
  return `${(bytes / MiB).toFixed(1)} MiB`;
}

/** A heap of this size breathes by as much: code compiled late, buffers that are freed later. */
const NOISE_BYTES = 12 * MiB;
/** What a last request may have left for the next one to sweep up. */
const NOISE_OBJECTS = 10;

/** Expects that a server at rest holds no more than it did before. */
export function expectNoGrowth(before: Vitals, after: Vitals): void {
  expect(after.heldBytes - before.heldBytes).toBeLessThan(NOISE_BYTES);
  for (const [name, count] of Object.entries(after.objects)) {
    expect(count - (before.objects[name] ?? 0), `more objects of ${name}`).toBeLessThan(NOISE_OBJECTS);
  }
  expect(after.resources).toEqual(before.resources);
  expect(after.listeners).toBe(before.listeners);
}
