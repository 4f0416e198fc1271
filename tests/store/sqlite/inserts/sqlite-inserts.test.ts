import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { BATCH_READINGS } from '../../../../app/store/reading-store';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../../support/server/server';

const SLOT_MS = 300_000;

test('a transaction writes each slot once, in any order of readings', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  const store = openSqliteStore(path);
  const database = new Database(path);
  database.exec(`
    create table writes (sensor, start);
    create trigger slot_added after insert on slots begin insert into writes values (new.sensor, new.start); end;
    create trigger slot_changed after update on slots begin insert into writes values (new.sensor, new.start); end;`);
  const batch = Array.from({ length: BATCH_READINGS }, (_, i) => ({
    co2: 300 + i,
    voc: i % 7 === 0 ? null : i,
    sensor: `sensor ${i % 3}`,
    created_at: new Date(Date.UTC(2020, 0) + (i % 2) * SLOT_MS + i).toISOString(),
  }));
  await store.insertAll(batch);
  const select = (sql: string) => database.prepare(sql).raw().all();
  expect(select('select count(*), count(distinct sensor || start) from writes')).toEqual([[6, 6]]);
  const columns =
    'readings, co2_values, co2_sum, co2_lowest, co2_highest, voc_values, voc_sum, voc_lowest, voc_highest';
  expect(select(`select ${columns} from slots order by sensor, start`)).toEqual(
    select(`select count(*), count(co2), sum(co2), min(co2), max(co2), count(voc), sum(voc), min(voc), max(voc)
      from data group by sensor, created_at / ${SLOT_MS * 1000} order by sensor, created_at`),
  );
  database.close();
  await store.close();
});
