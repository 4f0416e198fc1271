import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { hashOf, seedVersion0 } from '../support/readings/database';
import { startServer, temporaryFolder } from '../support/server/server';
import { LONG, report, SEED, size } from '../support/size';

const READINGS = size(1_000_000, 20_000);
const KILLS = size(10, 2);

test(
  'a server killed during a migration has changed nothing, and the next start completes it',
  LONG,
  async () => {
    const random = seededRandom(SEED);
    const databasePath = join(temporaryFolder(), 'readings.db');
    seedVersion0(databasePath, READINGS);
    const before = hashOf(databasePath);
    const isMigrating = (output: string) =>
      output.includes(`upgrading ${READINGS} readings from database version 0`);

    const original = `${databasePath}.original`;
    copyFileSync(databasePath, original);
    const putBack = () => {
      for (const suffix of ['-wal', '-shm']) rmSync(databasePath + suffix, { force: true });
      copyFileSync(original, databasePath);
    };

    for (let halfWay = 0; halfWay < KILLS; ) {
      const server = await startServer({ databasePath, isReady: isMigrating });
      // An open transaction isn't visible in the file, so the kills are spread over a second.
      await new Promise((resolve) => setTimeout(resolve, random() * size(1000, 10)));
      await server.stop('SIGKILL');
      // On a busy machine, the migration may have been faster than the signal.
      if (server.output().includes('upgraded to database version 12')) putBack();
      else halfWay += 1;
      expect(hashOf(databasePath), `after ${halfWay} kills`).toBe(before);
    }

    const startedAt = performance.now();
    const server = await startServer({ databasePath });
    const durationMs = performance.now() - startedAt;
    expect(server.output()).toContain('was upgraded to database version 12');
    const database = new Database(databasePath, { readonly: true });
    expect(database.prepare('pragma integrity_check').raw().all()).toEqual([['ok']]);
    const sums =
      'select count(*), count(distinct created_at), min(id), max(id), sum(co2), sum(voc) from data';
    const co2 = (READINGS * (READINGS - 1)) / 2;
    const voc =
      Math.floor(READINGS / 600) * ((600 * 599) / 2) + ((READINGS % 600) * ((READINGS % 600) - 1)) / 2;
    expect(database.prepare(sums).raw().all()).toEqual([[READINGS, READINGS, 1, READINGS, co2, voc]]);
    // A reading with the time of the previous one is stored a microsecond after it.
    const times = 'select sum(created_at / 1000000), sum(created_at % 1000000) from data';
    const late = Math.floor(READINGS / 10);
    const seconds = READINGS * 1_700_000_000 + 15 * (co2 - late);
    expect(database.prepare(times).raw().all()).toEqual([[seconds, late]]);
    database.close();
    report(
      `${READINGS} readings: ${KILLS} kills of their migration changed nothing; it took ${(durationMs / 1000).toFixed(1)} s`,
    );
    expect(await server.stop()).toBe(0);
  },
);
