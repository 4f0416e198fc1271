import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csvFormat } from '../../app/http/csv.server';
import { streamPages } from '../../app/http/formats.server';
import { csvItems } from '../../app/ingest/csv-items.server';
import { storeBatch } from '../../app/ingest/store-batch.server';
import { byMetric, METRICS } from '../../app/readings/metric';
import type { ReadingInput } from '../../app/readings/reading';
import { BATCH_READINGS, type ReadingStore } from '../../app/store/reading-store';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { START } from '../support/readings/readings';
import { temporaryFolder } from '../support/server/server';
import { SEED } from '../support/size';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

const READINGS = 1200;
const SENSORS = ['', 'Kitchen', 'Küche, "klein"', '=1+1', "'=1", '@home', '-1', "it's", '＝', '浴室'];
const VALUES = [0, -3, 415, 0.1, 1e21, 5e-324, -1.7976931348623157e308, 123456789.123456];

/** Readings in random order. Many share a time, some times have microseconds, and some readings have only one metric. */
function variousReadings(): ReadingInput[] {
  console.log(`seed ${SEED}`);
  const random = seededRandom(SEED);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const taken = new Set<string>();
  return Array.from({ length: READINGS }, () => {
    const sensor = pick(SENSORS);
    const time = new Date(START + Math.floor(random() * 500) * 1000).toISOString();
    const micros = random() < 0.3 ? pick(['001', '500', '999']) : '';
    const created_at = `${time.slice(0, -1)}${micros}Z`;
    const only = random() < 0.5 ? pick(METRICS) : null;
    return {
      ...byMetric((metric) => ((only ?? metric) === metric ? pick(VALUES) : null)),
      created_at,
      ...(sensor && { sensor }),
    };
  }).filter(({ sensor, created_at }) => {
    const key = `${sensor} ${created_at}`;
    return !taken.has(key) && taken.add(key);
  });
}

async function exportOf(store: ReadingStore): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of await streamPages(store.read({}), csvFormat(await store.measured())))
    parts.push(part);
  return Buffer.concat(parts);
}

const withoutIds = (csv: Buffer) => csv.toString().replace(/,(id|\d+)\r\n/g, '\r\n');

type Open = () => Promise<{ store: ReadingStore; close(): Promise<void> }>;

const openSqlite: Open = async () => {
  const store = openSqliteStore(join(temporaryFolder(), 'readings.db'));
  return { store, close: () => store.close() };
};

const openHosted: Open = async () => {
  const { url, publicKey, stop } = await startSupabaseDouble();
  const store = openSupabaseStore({ url, publicKey, serverKey: publicKey });
  return {
    store,
    async close() {
      await store.close();
      await stop();
    },
  };
};

test.each([
  ['embedded', 'embedded', openSqlite, openSqlite],
  ['embedded', 'hosted', openSqlite, openHosted],
  ['hosted', 'embedded', openHosted, openSqlite],
])(
  'an export of the %s store, imported into an empty %s store, exports as the same bytes except for ids',
  async (_, __, open, openOther) => {
    const [first, second] = [await open(), await openOther()];
    const readings = variousReadings();
    for (let from = 0; from < readings.length; from += BATCH_READINGS) {
      const results = await first.store.insertAll(readings.slice(from, from + BATCH_READINGS));
      expect(results.every((result) => 'outcome' in result && result.outcome === 'stored')).toBe(true);
    }
    const exported = await exportOf(first.store);
    expect(exported.toString()).toMatch(
      new RegExp(`^created_at,sensor,${METRICS.map(({ field }) => field)},id\r\n`),
    );
    expect(exported.toString().split('\r\n')).toHaveLength(readings.length + 2);

    const items = csvItems(exported.toString());
    if (!items.ok) throw new Error(items.detail);
    const { report } = await storeBatch(second.store, items.groups, 'line', { mayRead: () => true });
    expect(report).toMatchObject({ stored: readings.length, errors: [] });
    expect(withoutIds(await exportOf(second.store))).toBe(withoutIds(exported));
    for (const { close } of [first, second]) await close();
  },
);
