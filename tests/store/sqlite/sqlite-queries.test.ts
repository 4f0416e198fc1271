import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { sqliteQueries } from '../../../app/store/sqlite/sqlite-queries.server';
import { seedDatabase } from '../../support/database';
import { temporaryFolder } from '../../support/server';

/** Returns SQLite's plan for each statement of the store, on a file that the store has made. */
async function queryPlans(): Promise<{ sql: string; plan: string[] }[]> {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const database = new Database(path);
  const prepared: string[] = [];
  sqliteQueries({
    prepare(sql: string) {
      prepared.push(sql);
      return database.prepare(sql);
    },
  } as Database.Database);
  const plans = prepared.map((sql) => {
    const steps = database
      .prepare(`explain query plan ${sql}`)
      .all(...Array(sql.split('?').length - 1).fill(1));
    return { sql, plan: steps.map((step) => (step as { detail: string }).detail) };
  });
  database.close();
  return plans;
}

test('every query uses an index and sorts nothing', async () => {
  const reads = (await queryPlans()).filter(({ sql }) => sql.startsWith('select'));
  expect(reads.length).toBeGreaterThan(3);
  for (const { sql, plan } of reads) {
    expect(plan.join('\n'), sql).toMatch(
      /USING (COVERING )?INDEX data_newest|USING INTEGER PRIMARY KEY|SCAN data$/m,
    );
    expect(plan.join('\n'), sql).not.toMatch(/TEMP B-TREE/);
  }
});

test('reads the newest from the end of the index, and finds the rows after a cursor by search, not by scan', async () => {
  const plans = await queryPlans();
  const planOf = (part: string) => plans.find(({ sql }) => sql.includes(part))?.plan.join('\n');
  expect(planOf('order by created_at desc, id desc limit ?')).toMatch(/^SCAN data USING INDEX data_newest$/);
  expect(planOf('where id > ? order by id desc limit ?')).toMatch(
    /^SEARCH data USING INTEGER PRIMARY KEY \(rowid>\?\)$/,
  );
  expect(planOf('where id > ? order by id limit')).toMatch(
    /^SEARCH data USING INTEGER PRIMARY KEY \(rowid>\?\)$/,
  );
  expect(planOf('where (created_at, id) > (?, ?)')).toMatch(/^SEARCH data USING INDEX data_newest/);
});

test('counts no further than asked', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const database = new Database(path);
  const { count } = sqliteQueries(database);
  expect([count(40), count(99), count(100), count(5760)]).toEqual([40, 99, 100, 100]);
  database.close();
});
