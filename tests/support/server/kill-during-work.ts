import Database from 'libsql';
import { expect } from 'vitest';
import { until } from '../until';
import type { RunningServer } from './server';

interface Work {
  /** How many clients work at a time. */
  lanes: number;
  /** One request of a client. */
  work(lane: number): Promise<void>;
  /** Tells whether enough is done. */
  isDue(): boolean;
  /** How many turns of the microtask queue the kill comes later: a random moment within a request. */
  turns: number;
}

/** Kills a server while clients work, and returns the next server with its file, which SQLite finds intact. */
export async function killDuringWork(server: RunningServer, { lanes, work, isDue, turns }: Work) {
  let isKilled = false;
  const run = async (_: unknown, lane: number) => {
    while (!isKilled) await work(lane);
  };
  const working = Promise.all(Array.from({ length: lanes }, run));
  await Promise.race([until(isDue, 100_000), working]);
  for (let i = 0; i < turns; i++) await null;
  await server.stop('SIGKILL');
  isKilled = true;
  await working;

  const next = await server.restart();
  const database = new Database(next.databasePath, { readonly: true });
  expect(database.prepare('pragma integrity_check').raw().all()).toEqual([['ok']]);
  database.close();
  return next;
}
