import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteReader } from '../../../../app/store/sqlite/reads/sqlite-reader.server';
import { seededRandom } from '../../../../scripts/seed/seeded-random.js';
import { temporaryFolder } from '../../../support/server/server';
import { SEED } from '../../../support/size';
import { until } from '../../../support/until';

const NUMBERS = 'with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ?)';

let path: string;
let reader: ReturnType<typeof sqliteReader>;

beforeEach(() => {
  path = join(temporaryFolder(), 'numbers.db');
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.exec('create table numbers (value real, name text)');
  database.close();
  reader = sqliteReader(path);
});

afterEach(() => reader.close());

test('the event loop continues while a query runs', async () => {
  // The query finds its first row after a third of its time.
  const slow = `${NUMBERS} select i from numbers where i % 1000000 = 0`;
  // If the query blocked the event loop, one turn would take at least a third of that time. The measurement is repeated,
  // because a busy machine may delay one turn as long.
  await until(async () => {
    let isRead = false;
    const rows = reader.all<[number]>(slow, 3_000_000).finally(() => {
      isRead = true;
    });
    let longestMs = 0;
    const begun = performance.now();
    for (let last = begun; !isRead; ) {
      await nextTurn();
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }
    expect(await rows).toEqual([[1_000_000], [2_000_000], [3_000_000]]);
    return longestMs < (performance.now() - begun) / 4;
  });
});

test('reads any number exactly', async () => {
  const random = seededRandom(SEED);
  const doubles = new Float64Array(new BigUint64Array(5000).map(() => randomBits(random)).buffer);
  const values = [...doubles.filter(Number.isFinite)];
  const database = new Database(path);
  database.prepare('insert into numbers select value, null from json_each(?)').run(JSON.stringify(values));
  const stored = database.prepare('select value from numbers order by rowid').raw().all();
  database.close();
  expect(await reader.all('select value from numbers order by rowid')).toEqual(stored);
});

/** Returns the bits of any double, including very large and very small ones. */
const randomBits = (random: () => number) =>
  (BigInt(Math.floor(random() * 2 ** 32)) << 32n) | BigInt(Math.floor(random() * 2 ** 32));

test('returns rows in order, with exact values, and sees each commit', async () => {
  const database = new Database(path);
  const values = [
    0.1 + 0.2,
    -1e300,
    5e-324,
    1.7976931348623157e308,
    2 ** 53,
    2 ** 63,
    1 / 3,
    -0.5,
    null,
    -1 / 0,
  ];
  const insert = database.prepare('insert into numbers values (?, ?)');
  for (const [i, value] of values.entries()) {
    insert.run(value, `#${i} "quoted", ü`);
    const rows = await reader.all('select value, name from numbers order by rowid desc');
    const stored: unknown[] = values.slice(0, i + 1).map((value, i) => [value, `#${i} "quoted", ü`]);
    expect(rows).toEqual(stored.reverse());
  }
  database.close();
});

test('runs queries in the order of the calls, and continues after a failed one', async () => {
  const ended: string[] = [];
  const run = (name: string, sql: string, ...bound: number[]) =>
    reader.all(sql, ...bound).then(
      () => ended.push(name),
      () => ended.push(`${name} fails`),
    );
  await Promise.all([
    run('slow', `${NUMBERS} select count(*) from numbers`, 1_000_000),
    run('unknown', 'select * from nothing'),
    run('same', 'select value from numbers'),
    run('same again', 'select value from numbers'),
  ]);
  expect(ended).toEqual(['slow', 'unknown fails', 'same', 'same again']);
});

test('leaves no read transaction open, so the write-ahead log can be emptied', async () => {
  const database = new Database(path);
  database.exec("insert into numbers values (1, ''), (2, '')");
  expect(await reader.all('select value from numbers')).toHaveLength(2);
  const [row] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  expect(row?.busy).toBe(0);
  database.close();
});
