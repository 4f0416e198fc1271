import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { backUpDatabase } from '../../app/store/sqlite/file/sqlite-copy.server.js';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { expectedRollUps, randomHistory, rollUpsOf } from '../contracts/history-contract';
import { postBody } from '../support/ingest/batches';
import { post } from '../support/server/api';
import { killDuringWork, startServer } from '../support/server/server';
import { LONG, report, SEED, size } from '../support/size';

const KILLS = size(30, 3);
const LANES = 4;
const QUERIES = size(100, 20);

test('the history of a killed server matches its readings', LONG, async () => {
  const random = seededRandom(SEED);
  const { readings, query, chance } = randomHistory(random);
  let server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
  let answers = 0;
  let stored = 0;

  for (let kill = 1; kill <= KILLS; kill++) {
    const target = answers + 8;
    server = await killDuringWork(server, {
      lanes: LANES,
      work: async () => {
        const body = chance(0.5) ? readings(400) : readings(1)[0];
        const answer = Array.isArray(body)
          ? postBody(server.url, 'application/json', JSON.stringify(body))
          : post(server.url, body);
        if (await answer.catch(() => null)) answers += 1;
      },
      isDue: () => answers >= target,
      turns: Math.floor(random() * 20_000),
    });
    const copy = `${server.databasePath}.copy`;
    backUpDatabase(server.databasePath, copy);
    const store = openSqliteStore(copy);
    const known: Reading[] = [];
    for await (const page of store.read({})) known.push(...page);
    for (let i = 0; i < QUERIES; i++) {
      const asked = query();
      const expected = expectedRollUps(
        known.filter(({ sensor }) => sensor === asked.sensor),
        asked,
      );
      expect(await rollUpsOf(store, asked), `kill ${kill} ${JSON.stringify(asked)}`).toEqual(expected);
    }
    stored = known.length;
    await store.close();
    rmSync(copy);
  }
  report(`${KILLS} kills during posts and batches: the history is that of the ${stored} readings`);
  expect(await server.stop()).toBe(0);
});
