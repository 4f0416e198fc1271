/**
 * `node bench/time-storage.js [ROWS]`: compares ways to store readings (decision 0004). Inserts ROWS readings, 15 s apart, into
 * each table with one prepared statement, in transactions of 1,000 rows and with the product's settings.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const START = Date.UTC(2020) * 1000;

const UNIQUE = 'create unique index data_reading on data (sensor, created_at);';
const TIME = 'create index data_time on data (created_at);';
const SENSOR = 'create index data_sensor on data (sensor);';
const TEXT_MINUTE = 'substr(created_at, 1, 16)';
const INTEGER_MINUTE = 'created_at / 60000000';

/** @type {{ name: string, type: 'text' | 'integer', indexes: string, minute: string }[]} */
const VARIANTS = [
  { name: 'text, all indexes', type: 'text', indexes: UNIQUE + TIME + SENSOR, minute: TEXT_MINUTE },
  { name: 'integer, all indexes', type: 'integer', indexes: UNIQUE + TIME + SENSOR, minute: INTEGER_MINUTE },
  { name: 'integer, without (sensor)', type: 'integer', indexes: UNIQUE + TIME, minute: INTEGER_MINUTE },
  {
    name: 'integer, without (created_at)',
    type: 'integer',
    indexes: UNIQUE + SENSOR,
    minute: INTEGER_MINUTE,
  },
  { name: 'integer, unique index only', type: 'integer', indexes: UNIQUE, minute: INTEGER_MINUTE },
];

const folder = mkdtempSync(join(tmpdir(), 'airboard-'));
console.log(`${ROWS} rows: MiB, rows/s inserted, s to group all by minute`);
for (const { name, type, indexes, minute } of VARIANTS) {
  const path = join(folder, 'data.db');
  const database = new Database(path);
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table sensors (id integer primary key, name text not null unique);
    insert into sensors (name) values ('');
    create table data (id integer primary key autoincrement, sensor integer not null references sensors,
      created_at ${type} not null, co2 real, voc real, check (co2 is not null or voc is not null));
    ${indexes}`);
  const insert = database.prepare('insert into data (sensor, created_at, co2, voc) values (1, ?, ?, ?)');
  const insertMs = elapsed(() => {
    for (let row = 0; row < ROWS; ) {
      database.exec('begin');
      for (const end = Math.min(row + 1000, ROWS); row < end; row++) {
        const time = START + row * 15_000_000;
        insert.run(
          type === 'text' ? new Date(time / 1000).toISOString() : time,
          400 + (row % 900),
          row % 300,
        );
      }
      database.exec('commit');
    }
  });
  database.pragma('wal_checkpoint(TRUNCATE)');
  const group = database.prepare(`select ${minute}, avg(co2), max(voc) from data group by 1`);
  // Not timed: the first run reads the file into the cache.
  group.all();
  const groupMs = elapsed(() => group.all());
  const figures = [
    (statSync(path).size / 1024 / 1024).toFixed(1),
    Math.round((ROWS / insertMs) * 1000),
    (groupMs / 1000).toFixed(2),
  ];
  console.log(`${name}: ${figures.join(', ')}`);
  database.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
rmSync(folder, { recursive: true });

/** @param {() => void} work */
function elapsed(work) {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
