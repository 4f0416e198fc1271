import { LONGEST_SECONDS } from '../../../readings/roll-up/slot';
import type { ReadRows } from '../reads/sqlite-reader.server';
import { PIECE_ROWS } from './sqlite-dense-slots.server';
import { DAY_SECONDS, type Day, TIERS, type UnbuiltDay } from './sqlite-stale-days.server';

const SELECT_READINGS = `
  select count(co2), count(voc) from (
    select co2, voc from data where sensor = ? and created_at >= ? and created_at < ?
    order by created_at limit ${PIECE_ROWS + 1})`;

const SELECT_SLOTS = `
  select sum(co2_values) from slots where sensor = value ->> 'sensor'
    and start >= (value ->> 'day') - ${LONGEST_SECONDS} and start < (value ->> 'day') + ${DAY_SECONDS + LONGEST_SECONDS}`;
const SELECT_ROLL_UPS = `
  select sum(co2_values) from roll_ups where sensor = value ->> 'sensor' and step in (${TIERS})
    and start >= value ->> 'day' and start < (value ->> 'day') + ${DAY_SECONDS}`;
const SELECT_DAYS = `select (${SELECT_SLOTS}), (${SELECT_ROLL_UPS}) from json_each(?)`;

/**
 * Reads what a write is about to read and discards it. The write has to read again, because readings may be stored
 * meanwhile, but finds all in the system's cache and doesn't wait for the disk in the event loop.
 */
export function sqliteWarmUp(readRows: ReadRows) {
  return {
    /** For the `build` of a day. */
    async unbuilt({ sensor, day, slotsFrom }: UnbuiltDay): Promise<void> {
      await readRows(SELECT_READINGS, sensor, slotsFrom * 1e6, (day + DAY_SECONDS) * 1e6);
    },
    /** For the `refresh` of days. */
    async days(days: readonly Day[]): Promise<void> {
      await readRows(SELECT_DAYS, JSON.stringify(days));
    },
  };
}
