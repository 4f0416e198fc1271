import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { relative } from 'node:path';
import { expect } from 'vitest';

const RESULTS = 'tests/torture/results.json';

/** True in `npm run test:torture`. Other runs are smaller. */
export const isFullSize = import.meta.env.MODE === 'torture';

/** Returns the number that applies to this run. */
export function size(full: number, small: number): number {
  return isFullSize ? full : small;
}

/** For tests that take many seconds, and longer on a busy machine. */
export const LONG = { timeout: size(900_000, 90_000) };

/** Seeds all randomness of the torture tests, so that every run is the same. */
export const SEED = Number(process.env.SEED || 20260102);

/** Calls `work` `count` times, in `lanes` concurrent sequences. */
export async function inLanes(
  lanes: number,
  count: number,
  work: (index: number, lane: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (_: unknown, lane: number) => {
    while (next < count) await work(next++, lane);
  };
  await Promise.all(Array.from({ length: lanes }, run));
}

/** Prints a measurement. At full size, also writes it to the results from which `npm run docs` makes a table. */
export function report(measured: string): void {
  console.log(`[torture] ${measured} (seed ${SEED})`);
  if (!isFullSize) return;
  const { testPath = '', currentTestName } = expect.getState();
  const path = relative('.', testPath);
  // Several tests of one file have a row each.
  const name = path.startsWith('tests/torture/') ? path : `${path}: ${currentTestName}`;
  const { results } = JSON.parse(readFileSync(RESULTS, 'utf8'));
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`;
  results[name] = { date: new Date().toISOString().slice(0, 10), machine, measured };
  const sorted = Object.fromEntries(Object.entries(results).sort());
  writeFileSync(RESULTS, `${JSON.stringify({ seed: SEED, results: sorted }, null, 2)}\n`);
}
