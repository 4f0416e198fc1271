import Database from 'libsql';
import { expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seeded-random.js';
import { post } from '../support/api';
import { startServer } from '../support/server';
import { report, SEED, size } from '../support/size';
import { until } from '../support/until';

const KILLS = size(50, 4);
const LANES = 8;
/** A server is killed after this many answered posts, or up to twice as many. */
const POSTS = 50;

test('a server killed during posts has stored every reading that got a 201, once', async () => {
  const random = seededRandom(SEED);
  const sent = new Set<number>();
  const confirmed = new Map<number, number>();
  let server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });

  for (let kill = 1; kill <= KILLS; kill++) {
    const before = confirmed.size;
    const target = before + POSTS + Math.floor(random() * POSTS);
    let isKilled = false;
    const lane = async () => {
      while (!isKilled) {
        const co2 = sent.size;
        sent.add(co2);
        const answer = await post(server.url, { co2, voc: kill }).catch(() => null);
        // The status is the promise, even if the body is cut off.
        if (answer?.status === 201) confirmed.set(co2, kill);
        await answer?.text().catch(() => null);
      }
    };
    const lanes = Array.from({ length: LANES }, lane);
    await until(() => confirmed.size >= target);
    // Kills at a random moment between two responses.
    const pause = Math.floor(random() * 4000);
    for (let i = 0; i < pause; i++) await null;
    await server.stop('SIGKILL');
    isKilled = true;
    await Promise.all(lanes);

    server = await server.restart();
    const database = new Database(server.databasePath, { readonly: true });
    expect(database.prepare('pragma integrity_check').raw().all()).toEqual([['ok']]);
    const stored = database.prepare('select co2, voc from data').raw().all() as [number, number][];
    database.close();
    const found = new Map(stored);
    expect(found.size, `kill ${kill}: a reading is stored twice`).toBe(stored.length);
    const lost = [...confirmed].filter(([co2, voc]) => found.get(co2) !== voc);
    expect(lost, `kill ${kill}: readings are lost`).toEqual([]);
    expect(stored.filter(([co2]) => !sent.has(co2))).toEqual([]);
  }

  report(`${KILLS} kills: ${confirmed.size} readings were confirmed, all of them are stored, none twice`);
  expect(await server.stop()).toBe(0);
});
