import Database from 'libsql';
import { expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { post } from '../support/server/api';
import { killDuringWork, startServer } from '../support/server/server';
import { LONG, report, SEED, size } from '../support/size';

const KILLS = size(50, 3);
const LANES = 8;
/** The server is killed after this many answered posts, or up to twice as many. */
const POSTS = 50;

test('a server killed during posts has stored every reading that got a 201, once', LONG, async () => {
  const random = seededRandom(SEED);
  const sent = new Set<number>();
  const confirmed = new Map<number, number>();
  let server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });

  for (let kill = 1; kill <= KILLS; kill++) {
    const before = confirmed.size;
    const target = before + POSTS + Math.floor(random() * POSTS);
    server = await killDuringWork(server, {
      lanes: LANES,
      work: async () => {
        const co2 = sent.size;
        sent.add(co2);
        const answer = await post(server.url, { co2, voc: kill }).catch(() => null);
        // The status is the promise, even if the body is cut off.
        if (answer?.status === 201) confirmed.set(co2, kill);
        await answer?.text().catch(() => null);
      },
      isDue: () => confirmed.size >= target,
      turns: Math.floor(random() * 4000),
    });
    const database = new Database(server.databasePath, { readonly: true });
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
