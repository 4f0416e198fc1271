import type Database from 'libsql';
import type { SensorSummary } from '../../../readings/reading';
import { formatReadingTime } from '../../../readings/time/stored-time';
import type { ReadRows } from './sqlite-reader.server';
import { type Row, toReading } from './sqlite-rows.server';

/** Sensors per page. Each costs a few entries of an index. */
export const PAGE_SENSORS = 200;

/** A sensor's key, name and first time, and its newest row. */
type SummaryRow = [key: number, name: string, first: number, ...Row];

const summaries = (selected: string) => `
  select sensors.id, name, (select min(created_at) from data where sensor = sensors.id) as first,
    data.id as newest, sensor, created_at, co2, voc
  from sensors join data on data.id =
    (select id from data where sensor = sensors.id order by created_at desc limit 1)
  where sensors.${selected}`;

export const SUMMARY = summaries('id = ?');
export const SUMMARY_BY_NAME = summaries('name = ?');
export const SUMMARIES_AFTER = summaries(`id > ? order by sensors.id limit ${PAGE_SENSORS}`);

/** The reads of sensors with their newest readings. */
export function sqliteSummaries(database: Database.Database, readRows: ReadRows) {
  const select = database.prepare(SUMMARY).raw();

  return {
    /** Returns up to `PAGE_SENSORS` sensors that have readings, after the one with this key, in the order of keys. */
    async after(key: number): Promise<{ key: number; summary: SensorSummary }[]> {
      const rows = await readRows<SummaryRow>(SUMMARIES_AFTER, key);
      return rows.map((row) => ({ key: row[0], summary: toSummary(row) }));
    },

    /** Returns the sensor of this name; undefined if it has no readings. */
    async named(name: string): Promise<SensorSummary | undefined> {
      return (await readRows<SummaryRow>(SUMMARY_BY_NAME, name)).map(toSummary)[0];
    },

    /** Returns a sensor; undefined if it has no readings. Blocks, for sensors whose newest reading was just stored. */
    of: (key: number): SensorSummary | undefined => (select.all(key) as SummaryRow[]).map(toSummary)[0],
  };
}

function toSummary([, name, first, ...row]: SummaryRow): SensorSummary {
  const newest = toReading(row, name);
  return { name, newest, first_heard: formatReadingTime(first), last_heard: newest.created_at };
}
