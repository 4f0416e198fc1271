import type Database from 'libsql';
import type { RollUp } from '../../../readings/roll-up/roll-up';
import { LONGEST_SECONDS, SLOT_SECONDS, slotOf } from '../../../readings/roll-up/slot';
import type { ReadRows } from '../reads/sqlite-reader.server';
import { ROW_TOTALS, slotAt, TOTALS, UPSERT_SLOT } from '../schema/sqlite-roll-up-schema.server.js';
import { PIECE_ROWS, type sqliteDenseSlots } from './sqlite-dense-slots.server';
import { fromRollUp, type RollUpRow, toRollUp } from './sqlite-roll-up-rows.server';

/** Slots per page, besides those around them. */
export const PAGE_SLOTS = 1000;

const SELECT_SLOTS = `
  select start, readings, ${TOTALS} from slots where sensor = ? and start >= ? and start < ? order by start limit ?`;

const ROWS_AROUND = PAGE_SLOTS + (2 * LONGEST_SECONDS) / SLOT_SECONDS;

const boundsAround = (sensor: number, from: number, to: number) =>
  [sensor, from - LONGEST_SECONDS, to + LONGEST_SECONDS, ROWS_AROUND] as const;

/** Slots of a span and those around it, complete up to `upTo` (seconds since 1970). */
interface SlotsAround {
  slots: RollUp[];
  upTo: number;
}

function toSlotsAround(rows: readonly RollUpRow[], to: number): SlotsAround {
  const slots = rows.map(toRollUp);
  const last = slots.at(-1);
  const isCut = last !== undefined && rows.length === ROWS_AROUND;
  return { slots, upTo: isCut ? Math.min(to, last.start - LONGEST_SECONDS) : to };
}

/** Returns what the `around` of `sqliteSlots` does, without blocking. */
export async function readSlotsAround(readRows: ReadRows, sensor: number, from: number, to: number) {
  return toSlotsAround(await readRows<RollUpRow>(SELECT_SLOTS, ...boundsAround(sensor, from, to)), to);
}

/**
 * Reads the table `slots`, and computes it from the readings. Every method is synchronous and throws libsql's errors.
 * Times are in seconds since 1970, and multiples of a slot.
 */
export function sqliteSlots(database: Database.Database, denseSlots: ReturnType<typeof sqliteDenseSlots>) {
  const select = database.prepare(SELECT_SLOTS).raw();
  const selectTime = database
    .prepare(
      `select created_at from data where sensor = ? and created_at >= ? and created_at < ?
      order by created_at limit 1 offset ${PIECE_ROWS}`,
    )
    .pluck();
  const remove = database.prepare('delete from slots where sensor = ? and start >= ? and start < ?');
  const insert = database.prepare(
    `insert into slots select sensor, ${slotAt('created_at')} as slot, count(*), ${ROW_TOTALS} from data
    where sensor = ? and created_at >= ? and created_at < ? group by slot`,
  );
  const upsert = database.prepare(UPSERT_SLOT);

  return {
    /**
     * Returns the slots from one time to another, and those around them that `levelSlots` needs. There may be too many
     * for one page: they are complete up to `upTo`.
     */
    around: (sensor: number, from: number, to: number): SlotsAround =>
      toSlotsAround(select.all(...boundsAround(sensor, from, to)) as RollUpRow[], to),

    /**
     * Computes the slots from one time to another, or to an earlier one. Returns the end, which is `from` as long as the
     * first slot has readings left for the next calls.
     */
    compute(sensor: number, from: number, to: number): number {
      const [time] = selectTime.all(sensor, from * 1e6, to * 1e6) as number[];
      const end = time === undefined ? to : slotOf(time / 1e6);
      if (end > from) {
        remove.run(sensor, from, end);
        insert.run(sensor, from * 1e6, end * 1e6);
        return end;
      }
      const slot = denseSlots.readOn(sensor, from);
      if (!slot) return from;
      remove.run(sensor, from, from + SLOT_SECONDS);
      upsert.run(sensor, ...fromRollUp(slot, false));
      return from + SLOT_SECONDS;
    },
  };
}
