import type Database from 'libsql';
import type { Reading } from '../../../readings/reading';
import { addReading, groupPage, type RollUp } from '../../../readings/roll-up/roll-up';
import { SLOT_SECONDS, slotOf } from '../../../readings/roll-up/slot';
import { ROW_TOTALS } from '../schema/sqlite-roll-up-schema.server.js';
import { type RollUpRow, toRollUp } from './sqlite-roll-up-rows.server';

/** Readings that are summed up in one turn of the event loop: about 5 ms of work. */
export const PIECE_ROWS = 2500;

/** Slots that are summed up at a time. Of more, the first ones begin again. */
const KEPT = 100;

/** A stored row, with the key of its sensor and its time in microseconds since 1970. */
export interface StoredRow {
  sensor: number;
  time: number;
  input: Pick<Reading, 'co2' | 'voc'>;
}

/** A slot whose readings up to a time are summed up. */
interface BegunSlot {
  slot: RollUp;
  readUpTo: number;
  dataVersion: number;
}

/**
 * Sums up slots that have more readings than one turn of the event loop allows, a piece in each turn. Every method is
 * synchronous and throws libsql's errors.
 */
export function sqliteDenseSlots(database: Database.Database) {
  const selectVersion = database.prepare('pragma data_version').pluck();
  const select = database
    .prepare(
      `select ?, count(*), ${ROW_TOTALS}, max(created_at) from (
        select created_at, co2, voc from data where sensor = ? and created_at > ? and created_at < ?
        order by created_at limit ${PIECE_ROWS})`,
    )
    .raw();
  const begun = new Map<string, BegunSlot>();
  const keyOf = (sensor: number, start: number) => `${sensor} ${start}`;

  function keep(key: string, slot: BegunSlot): void {
    if (begun.size >= KEPT) begun.delete(begun.keys().next().value as string);
    begun.set(key, slot);
  }

  return {
    /** Reads the next readings of a slot. Returns the slot once all are read, and null before. */
    readOn(sensor: number, start: number): RollUp | null {
      const key = keyOf(sensor, start);
      const [dataVersion = 0] = selectVersion.all() as number[];
      const known = begun.get(key);
      begun.delete(key);
      // Another program may have changed what was read.
      const before = known?.dataVersion === dataVersion ? known : undefined;
      const after = before?.readUpTo ?? start * 1e6 - 1;
      const [row] = select.all(start, sensor, after, (start + SLOT_SECONDS) * 1e6) as [(number | null)[]];
      const readUpTo = row.pop() as number;
      const piece = toRollUp(row as RollUpRow);
      const slot = merge(before?.slot, piece);
      if (piece.readings < PIECE_ROWS) return slot;
      keep(key, { slot, readUpTo, dataVersion });
      return null;
    },

    /** Notes rows that this process has stored: those of times that were read already would be missed. */
    add(rows: readonly StoredRow[]): void {
      if (begun.size === 0) return;
      for (const { sensor, time, input } of rows) {
        const known = begun.get(keyOf(sensor, slotOf(time / 1e6)));
        if (known && time <= known.readUpTo) addReading(known.slot, input);
      }
    },
  };
}

function merge(slot: RollUp | undefined, piece: RollUp): RollUp {
  return slot ? (groupPage([slot, piece], { step: SLOT_SECONDS })[0] as RollUp) : piece;
}
