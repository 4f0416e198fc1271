import { afterEach, beforeEach, expect, test } from 'vitest';
import { summarize } from '../../../app/history/summarize.server';
import type { RollUp } from '../../../app/readings/roll-up/roll-up';
import type { HistoryQuery, ReadingStore } from '../../../app/store/reading-store';
import { rollUpOf } from '../../../app/store/supabase/supabase-history.server';
import { openSupabaseStore } from '../../../app/store/supabase/supabase-store.server';
import { type SupabaseDouble, startSupabaseDouble } from '../../support/supabase/supabase-double';
import { until } from '../../support/until';

const LIMITS = { co2: { good: 1000, moderate: 2000 }, voc: { good: 220, moderate: 660 } };
const HOUR = 3600;
const START = Date.parse('2015-01-01T00:00:00Z') / 1000;
const SPAN = { sensor: '', from: START, to: START + 3650 * 86_400 };

let double: SupabaseDouble;
let store: ReadingStore;

beforeEach(async () => {
  double = await startSupabaseDouble();
  store = openStore();
});

afterEach(() => double.stop());

const openStore = (timeoutMs?: number) =>
  openSupabaseStore({ ...double, serverKey: double.publicKey }, timeoutMs);

/** Adds readings at an interval of `seconds`. */
const insertEvery = (seconds: number, count: number) =>
  double.run(
    `insert into data (co2, created_at)
     select 300 + i, to_timestamp(${START} + i * ${seconds}) from generate_series(0, ${count - 1}) i`,
  );

async function rollUps(query: Partial<HistoryQuery>, asked = store): Promise<RollUp[]> {
  const all: RollUp[] = [];
  const whole = { sensor: '', from: START, to: START + HOUR, step: 300, thresholds: LIMITS };
  for await (const piece of asked.rollUps({ ...whole, ...query })) all.push(...piece);
  return all;
}

test('requests at most 1,000 steps at a time, and yields each once and in order', async () => {
  await insertEvery(HOUR, 2500);
  const steps = await rollUps({ to: START + 2500 * HOUR, step: HOUR });
  expect(steps.map(({ co2 }) => co2?.sum)).toEqual(Array.from({ length: 2500 }, (_, i) => 300 + i));
  expect(double.rest.requests).toHaveLength(3);
});

test('requests at most a year (105,120 slots) at a time', async () => {
  const day = 86_400;
  await insertEvery(7 * day, 200);
  const steps = await rollUps({ from: START - 3 * day, to: START + 1397 * day, step: 7 * day });
  expect(steps.map(({ co2 }) => co2?.sum)).toEqual(Array.from({ length: 200 }, (_, i) => 300 + i));
  expect(double.rest.requests).toHaveLength(4);
});

test('requests four parts at a time, which share one timeout', async () => {
  await insertEvery(HOUR, 10);
  double.rest.delayMs = 1500;
  expect(await rollUps({ to: START + 4000 * HOUR, step: HOUR }, openStore(2500))).toHaveLength(10);
});

test('times out if a part takes too long', async () => {
  double.rest.fault = () => ({ kind: 'hang' });
  await expect(rollUps({}, openStore(200))).rejects.toThrow(/^Supabase did not answer in time\./);
});

test('names the missing migration', async () => {
  await double.run('drop function history, summary');
  await expect(rollUps({})).rejects.toThrow(
    'The Supabase project lacks the migration 20261128091000_slots_and_history.sql. Apply supabase/migrations to the project.',
  );
  await expect(summarize(store, SPAN, LIMITS)).rejects.toThrow(
    /lacks the migration 20261128091000_slots_and_history\.sql\. .* If it is applied, .* notify pgrst, 'reload schema'/,
  );
  expect((await store.insert({ co2: 1, voc: 1 })).outcome).toBe('stored');
});

test('summarizes ten years in one request', async () => {
  await insertEvery(30 * 86_400, 120);
  expect(await summarize(store, SPAN, LIMITS)).toMatchObject({ readings: 120, voc: null });
  expect(double.rest.requests).toEqual(['POST /rest/v1/rpc/summary']);
});

test.each(['{}', '{"readings": 1, "co2": {}, "voc": null}', '[]', 'null'])(
  'rejects %s as a summary',
  async (body) => {
    double.rest.fault = () => ({ kind: 'answer', status: 200, body });
    await expect(summarize(store, SPAN, LIMITS)).rejects.toThrow(/is not Supabase's REST API/);
  },
);

test.each(['{}', '[{"start": 0}]', '[null]', 'null'])('rejects %s as the history', async (body) => {
  double.rest.fault = () => ({ kind: 'answer', status: 200, body });
  await expect(rollUps({})).rejects.toThrow(/is not Supabase's REST API/);
});

test('yields nothing for an empty span', async () => {
  expect(await rollUps({ to: START })).toEqual([]);
});

test('reads large numbers, even as text, and numbers beyond the largest of JavaScript as infinity', () => {
  const seconds = { good: 300, moderate: 0, poor: '0' };
  const row = `{"start": 300, "readings": "2", "voc": null,
    "co2": {"values": 2, "sum": 3${'0'.repeat(308)}, "lowest": "1e308", "highest": 1e308, "seconds": ${JSON.stringify(seconds)}}}`;
  expect(rollUpOf(JSON.parse(row))).toEqual({
    start: 300,
    readings: 2,
    voc: null,
    co2: {
      values: 2,
      sum: Number.POSITIVE_INFINITY,
      lowest: 1e308,
      highest: 1e308,
      seconds: { good: 300, moderate: 0, poor: 0 },
    },
  });
});

test('cancels its requests and sends no more when the caller aborts', async () => {
  await insertEvery(HOUR, 10);
  double.rest.delayMs = 60_000;
  const leaving = new AbortController();
  const asked = rollUps({ to: START + 9000 * HOUR, step: HOUR, signal: leaving.signal }, openStore(50_000));
  const left = expect(asked).rejects.toThrow('aborted');
  await until(() => double.rest.requests.length === 4);
  leaving.abort();
  await left;
  expect(double.rest.requests).toHaveLength(4);
});
