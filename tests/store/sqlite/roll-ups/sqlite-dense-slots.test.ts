import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Reading, UNNAMED } from '../../../../app/readings/reading';
import { SLOT_SECONDS } from '../../../../app/readings/roll-up/slot';
import { formatReadingTime } from '../../../../app/readings/time/stored-time';
import type { ReadingStore } from '../../../../app/store/reading-store';
import { PIECE_ROWS } from '../../../../app/store/sqlite/roll-ups/sqlite-dense-slots.server';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { expectedRollUps, rollUpsOf } from '../../../contracts/history-contract';
import { THRESHOLDS } from '../../../support/readings/thresholds';
import { temporaryFolder } from '../../../support/server/server';

const SLOT = Date.UTC(2026, 0, 31, 10) / 1000;
const DAY = {
  sensor: UNNAMED,
  step: SLOT_SECONDS,
  from: SLOT - 36_000,
  to: SLOT + 50_400,
  thresholds: THRESHOLDS,
};
const READINGS = 10 * PIECE_ROWS;

let path: string;
let store: ReadingStore;

beforeEach(async () => {
  path = join(temporaryFolder(), 'readings.db');
  store = openSqliteStore(path);
  await store.insert({ co2: 400, voc: 100, created_at: formatReadingTime(SLOT * 1e6) });
  asAnotherProgram(`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${READINGS})
    insert into data (sensor, created_at, co2, voc)
    select 1, ${SLOT * 1e6} + i * 10000, 500 + i % 700, nullif(i % 50, 0) from numbers`);
});

afterEach(() => store.close());

function asAnotherProgram(sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

async function expected() {
  const readings: Reading[] = [];
  for await (const page of store.read({})) readings.push(...page);
  return expectedRollUps(
    readings.map((reading) => ({ ...reading, sensor: UNNAMED })),
    DAY,
  );
}

/** Asks for the slot, and calls `meanwhile` again and again until it is answered. Returns how often that was. */
async function askWhile(meanwhile: (call: number) => Promise<unknown>): Promise<number> {
  let isAnswered = false;
  const answer = rollUpsOf(store, DAY).finally(() => {
    isAnswered = true;
  });
  let calls = 0;
  for (; !isAnswered; calls++) await meanwhile(calls);
  await answer;
  return calls;
}

test('counts readings once that are stored in a slot while its pieces are summed up', async () => {
  const calls = await askWhile((call) =>
    store.insertAll(
      // Between the others: at the beginning of the slot, which was read, and at its end, which wasn't.
      [call, 10 * READINGS - call].map((ms) => ({
        co2: 2000 + call,
        voc: null,
        created_at: formatReadingTime(SLOT * 1e6 + ms * 1000 + 1),
      })),
    ),
  );
  expect(calls).toBeGreaterThan(5);
  expect(await rollUpsOf(store, DAY)).toEqual(await expected());
});

test('sums a slot up again when another program changes what was read', async () => {
  const calls = await askWhile(async (call) => {
    if (call === 5) asAnotherProgram('update data set co2 = 9999 where id = 2');
    await nextTurn();
  });
  expect(calls).toBeGreaterThan(5);
  expect(await rollUpsOf(store, DAY)).toEqual(await expected());
});
