import { spawnSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { CREATE_INDEXES } from '../../../app/store/sqlite/file/sqlite-migrations.server.js';
import {
  BEGIN_OWN_INSERTS,
  dayAt,
  END_OWN_INSERTS,
  ROW_TOTALS,
  slotAt,
} from '../../../app/store/sqlite/schema/sqlite-roll-up-schema.server.js';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';
import { runSql } from '../readings/database';
import { size } from '../size';
import { FLAPPING } from './costly-requests';

const SENSORS = size(100_000, 2000);
/** A reading each five minutes, above or below a limit: for 26 years at full size. */
const FLAPPING_READINGS = size(2_700_000, 30_000);
const START = Date.UTC(2000, 0) * 1000;

/**
 * Creates a file with `count` readings of a sensor without a name, 15 s apart, and with what else takes long: many
 * sensors, and one whose level changes all the time. Its slots are computed but for 60 days, after which the log says that the history is complete. Its roll-ups aren't, and nothing asks for those of the many
 * sensors.
 */
export async function createCostlyStore(path: string, count: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await openSqliteStore(path).close();
  const database = new Database(path);
  const numbers = (rows: number) =>
    `with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${rows - 1})`;
  const columns = 'insert into data (sensor, created_at, co2, voc)';
  const first = Date.now() * 1000 - count * 15_000_000;
  // Building an index once is faster than updating it for every row.
  database.exec(`pragma synchronous = off; begin; ${BEGIN_OWN_INSERTS}; drop index data_time; drop index data_sensor;
    insert into sensors (id, name) values (1, ''), (2, '${FLAPPING}');
    ${numbers(count)}
    ${columns} select 1, ${first} + i * 15000000, 600 + i % 50, 200 + i % 20 from numbers;
    ${numbers(FLAPPING_READINGS)}
    ${columns} select 2, ${START} + i * 300000000, 600 + abs(random()) % 2 * 800, 100 + i % 7 from numbers;
    insert into slots select sensor, ${slotAt('created_at')} as slot, count(*), ${ROW_TOTALS} from data
    group by sensor, slot;
    insert into stale_days (sensor, day) select distinct sensor, ${dayAt('start * 1000000')} from slots;
    update stale_days set slots_from = day where sensor = 2 and day < ${START / 1e6} + 60 * 86400;
    ${numbers(SENSORS)} insert into sensors (id, name) select 1000 + i, 'Sensor ' || i from numbers;
    ${numbers(SENSORS)}
    ${columns} select 1000 + i, ${START} + i * 7919 % 9999991 * 1000000, 500, 50 from numbers;
    ${CREATE_INDEXES}; ${END_OWN_INSERTS}; commit; pragma wal_checkpoint(truncate)`);
  database.close();
}

/**
 * Has the system forget what it has cached of a file, as if nobody had read it for long. Does nothing without GNU's `dd`.
 */
export function forgetCached(path: string): void {
  const file = openSync(path, 'r');
  // What isn't written yet can't be forgotten.
  fdatasyncSync(file);
  closeSync(file);
  spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0']);
}

/** Has the history of many days computed again after the next start, as if another program had changed them. */
export function changeManyDays(path: string): void {
  runSql(
    path,
    `insert into stale_days (sensor, day, slots_from)
    select sensor, start, start from roll_ups where step = 86400 order by start desc limit ${size(600, 60)}
    on conflict do update set slots_from = day`,
  );
}
