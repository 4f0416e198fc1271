import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { summarize } from '../../app/history/summarize.server';
import { STEPS } from '../../app/readings/history/history-step';
import { byMetric, METRICS, metricOf, type Thresholds } from '../../app/readings/metric';
import type { Reading, ReadingInput } from '../../app/readings/reading';
import type { RollUp } from '../../app/readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../../app/readings/roll-up/slot';
import { readingOf } from '../../app/store/supabase/reading-row';
import { limitsOf, rollUpOf, summaryOf } from '../../app/store/supabase/supabase-history.server';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { historyStore, rollUpReadings } from '../support/history/roll-up-readings';
import { THRESHOLDS } from '../support/readings/readings';
import { type Database, migrate, migrations, openPostgres } from '../support/supabase/pglite';

const LIMITS = { ...THRESHOLDS, co2: { good: 1000, moderate: 1400 }, voc: { good: 220, moderate: 300 } };
const OTHERS = METRICS.map(({ field }) => field).slice(2);
const SENSORS = ['', "Zoë's"];
const START = Date.parse('2020-01-02T10:00:00Z') / 1000;
/** Intervals in seconds, from one second to an hour, and the length of an outage. */
const INTERVALS = [1, 15, 60, 299, 301, 600, 1800, 3600, 20_000];

async function rowsOf<T>(database: Database, sql: string): Promise<T[]> {
  return (await database.query<T>(sql)).rows;
}

/** Returns the steps computed by the function `history`. */
async function historyOf(
  database: Database,
  sensor: string,
  { from, to, step, phase = 0 }: { from: number; to: number; step: number; phase?: number },
  limits: Thresholds = LIMITS,
): Promise<RollUp[]> {
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  const [row] = await rowsOf<{ history: unknown[] }>(
    database,
    `select history(${text(sensor)}, ${from}, ${to}, ${step}, ${phase}, ${text(JSON.stringify(limitsOf(limits)))})`,
  );
  return (row?.history ?? []).map((item) => rollUpOf(item) as RollUp);
}

async function readingsOf(database: Database, sensor: string): Promise<Reading[]> {
  const rows = await rowsOf<{ row: unknown }>(
    database,
    'select to_jsonb(data) as row from data order by created_at',
  );
  return rows
    .flatMap(({ row }) => readingOf(row) ?? [])
    .filter((reading) => (reading.sensor ?? '') === sensor);
}

const WHOLE = { from: START - 10 * 86_400, to: START + 3000 * 86_400, step: SLOT_SECONDS };

/** Compares each slot with the readings. */
async function expectExactSlots(database: Database): Promise<void> {
  for (const sensor of SENSORS) {
    const fresh = rollUpReadings(await readingsOf(database, sensor), WHOLE, LIMITS);
    expect(await historyOf(database, sensor, WHOLE)).toEqual(fresh);
  }
}

/** Random changes of readings, as statements. */
function randomChanges(seed: number) {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]) => values[below(values.length)] as T;
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  let clock = START;

  function reading(): ReadingInput & { created_at: string; sensor: string } {
    clock += pick(INTERVALS) * (random() < 0.05 ? -3 : 1);
    const created_at = new Date(clock * 1000 + below(1000)).toISOString();
    // Quarters, whose sums are exact in SQL and in JavaScript.
    const [co2, voc] = [400 + below(5600) / 4, below(2000) / 4];
    const [hasCo2, hasVoc] = pick([
      [true, true],
      [true, true],
      [true, false],
      [false, true],
    ]);
    const other = () => (random() < 0.3 ? null : below(1000) / 4);
    const values = byMetric(({ field }) => (OTHERS.includes(field) ? other() : null));
    return {
      ...values,
      co2: hasCo2 ? co2 : null,
      voc: hasVoc ? voc : null,
      created_at,
      sensor: pick(SENSORS),
    };
  }

  /** Returns readings with one interval. Some of them are duplicates, conflicts or invalid. */
  function batch(): unknown[] {
    const [interval, sensor] = [pick(INTERVALS), pick(SENSORS)];
    const readings = Array.from({ length: 1 + below(60) }, () => {
      clock += interval;
      return { ...reading(), created_at: new Date(clock * 1000).toISOString(), sensor };
    });
    if (random() < 0.5)
      readings.push(...readings.slice(0, 3), { ...(readings[0] as ReturnType<typeof reading>), co2: 1 });
    if (random() < 0.3) readings.push({ ...reading(), created_at: '1999-01-01T00:00:00Z' });
    return random() < 0.3 ? readings.reverse() : readings;
  }

  const columns = `(${METRICS.map(({ field }) => field).join()}, created_at, sensor)`;
  const values = ({ created_at, sensor, ...metrics }: ReturnType<typeof reading>) =>
    `(${METRICS.map(({ field }) => metrics[field] ?? 'null').join()}, '${created_at}', ${text(sensor)})`;
  const insertBatch = () => `select insert_readings(${text(JSON.stringify(batch()))})`;
  const someIds = () => `id % ${2 + below(60)} = ${below(2)}`;

  const changes: (() => string)[] = [
    insertBatch,
    insertBatch,
    () => `insert into data ${columns} values ${values(reading())} on conflict do nothing`,
    () =>
      `insert into data ${columns}
       values ${Array.from({ length: 20 }, () => values(reading())).join(',')} on conflict do nothing`,
    // Late readings in slots that already have readings, and in the slots after them.
    () =>
      `insert into data (co2, voc, created_at, sensor)
       select 800, 250, created_at + interval '${pick([3.7, 60.7, 400.7])} s', sensor from data where ${someIds()}
       on conflict do nothing`,
    () => `begin; ${insertBatch()}; delete from data where ${someIds()}; rollback`,
    () => `delete from data where ${someIds()}`,
    () => `update data set co2 = 400, voc = null where ${someIds()}`,
    () => `update data set ${pick(METRICS).field} = 7 where ${someIds()}`,
    () =>
      `update data set created_at = created_at - interval '${1 + below(5000)}.7 s' where id = (select max(id) from data)`,
    () => `update data set sensor = ${text(pick(SENSORS))} || '' where id = (select max(id) from data)`,
  ];
  return { next: () => pick(changes)(), below, pick };
}

describe('on a real Postgres', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
  });

  beforeEach(() => database.exec('reset role; truncate data'));

  afterAll(() => database.close());

  test.each([1, 2, 3])(
    'slots match the readings after random inserts, batches, late and repeated readings, changes and deletions (seed %i)',
    async (seed) => {
      const changes = randomChanges(seed);
      for (let i = 1; i <= 120; i++) {
        await database.exec(changes.next());
        if (i % 20 === 0) await expectExactSlots(database);
      }
      await database.exec('truncate data');
      await expectExactSlots(database);
    },
  );

  test('answers and summarizes any span, step, phase and thresholds like a computation from the readings', async () => {
    const { next, below, pick } = randomChanges(20261122);
    for (let i = 0; i < 40; i++) await database.exec(next());
    const readings = new Map<string, Reading[]>();
    for (const sensor of SENSORS) readings.set(sensor, await readingsOf(database, sensor));
    for (let i = 0; i < 150; i++) {
      const sensor = pick(SENSORS);
      const step = pick(STEPS);
      const phase = step < SLOT_SECONDS ? 0 : SLOT_SECONDS * below(step / SLOT_SECONDS);
      const [first] = pick([readings.get(sensor) ?? []]);
      const around = pick([first, pick(readings.get(sensor) ?? [])]) as Reading;
      const middle = Math.floor((Date.parse(around.created_at) / 1000 - phase) / step) * step + phase;
      const query = { from: middle - below(500) * step, to: middle + below(500) * step, step, phase };
      const limits = { ...LIMITS, co2: { good: 400 + below(800), moderate: 1200 + below(800) } };
      const expected = rollUpReadings(readings.get(sensor) ?? [], query, limits).filter(
        ({ start }) => start >= query.from && start < query.to,
      );
      expect(await historyOf(database, sensor, query, limits), JSON.stringify({ sensor, ...query })).toEqual(
        expected,
      );
      const from = middle - below(below(2) * 500 * step + 900);
      const span = { from, to: from + 1 + below(below(2) * 1000 * step + 900) };
      const text = [sensor, JSON.stringify(limitsOf(limits))].map(
        (value) => `'${value.replaceAll("'", "''")}'`,
      );
      const [row] = await rowsOf<{ summary: unknown }>(
        database,
        `select summary(${text[0]}, ${span.from}, ${span.to}, ${text[1]})`,
      );
      const summary = await summarize(historyStore(readings.get(sensor) ?? []), { ...span, sensor }, limits);
      expect(summaryOf(row?.summary, limits), JSON.stringify({ sensor, ...span })).toEqual(summary);
    }
  });

  test.each(METRICS.map(({ field }) => field))(
    'a third value of %s, even a late one, makes a slot count for its own five minutes only',
    async (field) => {
      const secondsAfter = async (minutes: number) => {
        await database.exec(
          `insert into data (${field}, created_at) values (${metricOf(field).plausible.from}, to_timestamp(${START + minutes * 60}))`,
        );
        const [step] = await historyOf(database, '', WHOLE);
        const { good = 0, moderate = 0 } = step?.[field]?.seconds ?? {};
        return good + moderate;
      };
      expect(await secondsAfter(0)).toBe(300);
      expect(await secondsAfter(20)).toBe(1200);
      expect(await secondsAfter(1)).toBe(1200);
      expect(await secondsAfter(2)).toBe(300);
    },
  );

  test('the ranges of measurements are those of the table of metrics', async () => {
    for (const { field, plausible } of METRICS) {
      const values = [plausible.from - 0.01, plausible.from, plausible.to, plausible.to + 0.01];
      const measured = await rowsOf(
        database,
        `select measured('${field}', value)::float8 as value from unnest('{${values}}'::numeric[]) as value`,
      );
      expect(measured, field).toEqual([null, values[1], values[2], null].map((value) => ({ value })));
    }
    expect(await rowsOf(database, "select measured('so2', -1)::int as value")).toEqual([{ value: -1 }]);
  });

  test('running the files again leaves the faulty values of older sums out, even twice', async () => {
    const { next } = randomChanges(20261129);
    for (let i = 0; i < 40; i++) await database.exec(next());
    // Sums as an older version has made them.
    await database.exec(`
      create or replace function measured(metric text, value numeric) returns numeric language sql immutable return value;
      insert into data (co2, temperature, created_at)
        select 65519, -127, created_at + interval '0.3 s' from data where sensor = '' and id % 5 = 0
        on conflict do nothing;
      insert into data (humidity, created_at) values (140, now()), (50, now() - interval '9 days');
      select rebuild_slots();`);
    const sums = 'select max(co2_highest)::int as co2, max(co2_values) as n from slots';
    expect(await rowsOf(database, sums)).toMatchObject([{ co2: 65_519 }]);
    for (let i = 0; i < 2; i++) {
      for (const sql of migrations()) await database.exec(sql);
      await expectExactSlots(database);
      expect((await rowsOf<{ co2: number }>(database, sums))[0]?.co2).toBeLessThan(40_000);
    }
  });
});
