import Database from 'libsql';
import { expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { BATCH_FORMATS, postBody, readingsOf } from '../support/ingest/batches';
import { killDuringWork, startServer } from '../support/server/server';
import { LONG, report, SEED, size } from '../support/size';

const KILLS = size(50, 3);
const LANES = 4;
const BATCH = 2000;
const FORMATS = Object.values(BATCH_FORMATS);

test(
  'a server killed during batches has stored each acknowledged batch whole, and stores none twice when it is repeated',
  LONG,
  async () => {
    const random = seededRandom(SEED);
    let server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
    /** The acknowledged batches of each lane, which is a sensor. */
    const acknowledged = Array<number>(LANES).fill(0);
    const batchOf = (lane: number, batch: number) =>
      readingsOf(`lane ${lane}`, BATCH, Date.UTC(2026, 0) + batch * BATCH * 1000).map((reading) => ({
        ...reading,
        voc: batch,
      }));

    for (let kill = 1; kill <= KILLS; kill++) {
      const target = acknowledged.reduce((sum, count) => sum + count, 0) + 2;
      server = await killDuringWork(server, {
        lanes: LANES,
        work: async (lane) => {
          const batch = acknowledged[lane] as number;
          const { type, write } = FORMATS[(lane + batch) % FORMATS.length] as (typeof FORMATS)[number];
          const answer = await postBody(server.url, type, write(batchOf(lane, batch))).catch(() => null);
          const sum = await answer?.json().catch(() => null);
          if (answer?.status !== 201) return;
          if (sum) expect(sum.stored + sum.duplicates).toBe(BATCH);
          acknowledged[lane] = batch + 1;
        },
        isDue: () => acknowledged.reduce((sum, count) => sum + count, 0) >= target,
        // Most kills happen during a batch.
        turns: Math.floor(random() * 20_000),
      });
      const database = new Database(server.databasePath, { readonly: true });
      const counts = database
        .prepare(
          'select name, voc, count(*), count(distinct created_at) from data join sensors on sensor = sensors.id group by 1, 2',
        )
        .raw()
        .all() as [string, number, number, number][];
      database.close();
      for (const [lane, batches] of acknowledged.entries()) {
        const rows = counts.filter(([name]) => name === `lane ${lane}`);
        const whole = rows.filter(([, batch]) => batch < batches);
        expect(whole, `kill ${kill}: an acknowledged batch isn't whole`).toEqual(
          Array.from({ length: batches }, (_, batch) => [`lane ${lane}`, batch, BATCH, BATCH]),
        );
        expect(rows.filter(([, , count, times]) => count !== times)).toEqual([]);
        expect(rows.length).toBeLessThanOrEqual(batches + 1);
      }
    }

    const batches = acknowledged.reduce((sum, count) => sum + count, 0);
    report(
      `${KILLS} kills during batches: ${batches} of ${BATCH} readings were acknowledged and are whole, none is stored twice`,
    );
    expect(await server.stop()).toBe(0);
  },
);
