import Database from 'libsql';
import { DENSE, DENSE_SLOT, FLAPPING } from './costly-requests';
import { seedDatabase } from './database';
import { size } from './size';

const SENSORS = size(100_000, 2000);
/** A reading each five minutes, above or below a limit: for 26 years at full size. */
const FLAPPING_READINGS = size(2_700_000, 30_000);
/** Summed up in one turn, they take 100 ms. */
const DENSE_READINGS = 400_000;
const START = Date.UTC(2000, 0) * 1000;

/**
 * Creates a file with `count` readings of a sensor without a name, 15 s apart, and with what else takes long: many
 * sensors, one whose level changes all the time, and one with many readings in a slot. Its history isn't computed.
 */
export async function createCostlyStore(path: string, count: number): Promise<void> {
  await seedDatabase(path, count);
  const database = new Database(path);
  const numbers = (rows: number) =>
    `with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${rows - 1})`;
  const columns = 'insert into data (sensor, created_at, co2, voc)';
  database.exec(`begin;
    insert into sensors (id, name) values (2, '${FLAPPING}'), (3, '${DENSE}');
    ${numbers(FLAPPING_READINGS)}
    ${columns} select 2, ${START} + i * 300000000, 600 + abs(random()) % 2 * 800, 100 + i % 7 from numbers;
    ${numbers(DENSE_READINGS)}
    ${columns} select 3, ${Date.parse(DENSE_SLOT) * 1000} + i * 500, 400 + i % 100, null from numbers;
    ${numbers(SENSORS)} insert into sensors (id, name) select 1000 + i, 'Sensor ' || i from numbers;
    ${numbers(SENSORS)}
    ${columns} select 1000 + i, ${START} + i * 7919 % 9999991 * 1000000, 500, 50 from numbers;
    commit`);
  database.close();
}

/** Has the slot of many readings computed again: changes a reading as another program would. */
export function changeDenseSlot(path: string): void {
  runIn(path, 'update data set co2 = co2 + 1 where id = (select id from data where sensor = 3 limit 1)');
}

/** Has the whole history computed again after the next start, as if another program had changed a reading of each day. */
export function changeEachDay(path: string): void {
  runIn(
    path,
    `insert into stale_days (sensor, day, slots_from) select sensor, start, start from roll_ups where step = 86400
    on conflict do update set slots_from = day`,
  );
}

function runIn(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}
