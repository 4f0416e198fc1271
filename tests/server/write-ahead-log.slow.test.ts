import { statSync } from 'node:fs';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { readAll } from '../support/server/api';
import { RawClient } from '../support/server/raw-client';
import { startServer } from '../support/server/server';

const POSTS = 1600;
const MIB = 1024 * 1024;

test('1600 posts are all stored, and the WAL stays below 6 MiB', async () => {
  const server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
  let next = 0;
  let largest = 0;
  // Few at a time: with many, shared transactions would keep the WAL small.
  const sender = async () => {
    const client = new RawClient(server.port);
    while (next < POSTS) {
      expect((await client.post(`{"co2": ${next++}, "voc": 1}`))?.status).toBe(201);
      if (next % 100 === 0) largest = Math.max(largest, statSync(`${server.databasePath}-wal`).size);
    }
    client.close();
  };
  await Promise.all([sender(), sender(), sender()]);
  // SQLite checkpoints at 1000 pages of 4 KiB, unless a statement is left unfinished.
  expect(largest).toBeLessThan(6 * MIB);
  const values = (await readAll(server.url)).map(({ co2 }) => Number(co2)).sort((a, b) => a - b);
  expect(values).toEqual(Array.from({ length: POSTS }, (_, i) => i));
  await server.stop('SIGKILL');

  const database = new Database(server.databasePath);
  expect(database.prepare('pragma integrity_check').pluck().all()).toEqual(['ok']);
  database.close();
});
