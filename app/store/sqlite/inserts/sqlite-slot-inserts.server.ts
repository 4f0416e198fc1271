import type Database from 'libsql';
import { addReading, type RollUp } from '../../../readings/roll-up/roll-up';
import { slotOf } from '../../../readings/roll-up/slot';
import type { StoredRow, sqliteDenseSlots } from '../roll-ups/sqlite-dense-slots.server';
import { fromRollUp } from '../roll-ups/sqlite-roll-up-rows.server';
import type { sqliteStaleDays } from '../roll-ups/sqlite-stale-days.server';
import { BEGIN_OWN_INSERTS, END_OWN_INSERTS, UPSERT_SLOT } from '../schema/sqlite-roll-up-schema.server.js';

interface ChangedSlot extends RollUp {
  sensor: number;
}

/** Adds the rows of a transaction of the store to the slots, with one statement for each slot. */
export function sqliteSlotInserts(
  database: Database.Database,
  staleDays: Pick<ReturnType<typeof sqliteStaleDays>, 'mark'>,
  denseSlots: Pick<ReturnType<typeof sqliteDenseSlots>, 'add'>,
) {
  const [begin, end, upsert] = [BEGIN_OWN_INSERTS, END_OWN_INSERTS, UPSERT_SLOT].map((sql) =>
    database.prepare(sql),
  ) as [Database.Statement, Database.Statement, Database.Statement];
  let slots = new Map<string, ChangedSlot>();
  let last: ChangedSlot | undefined;
  let stored: StoredRow[] = [];

  function slotFor(sensor: number, start: number): ChangedSlot {
    // The rows of a batch mostly are in the order of time.
    if (last?.start === start && last.sensor === sensor) return last;
    const key = `${sensor} ${start}`;
    last = slots.get(key) ?? { sensor, start, readings: 0, co2: null, voc: null };
    slots.set(key, last);
    return last;
  }

  return {
    /** Call first in the transaction: the triggers then leave its rows to this. */
    begin(): void {
      slots = new Map();
      last = undefined;
      stored = [];
      begin.run();
    },
    /** Notes rows that were stored. */
    add(rows: readonly StoredRow[]): void {
      stored.push(...rows);
      for (const { sensor, time, input } of rows) {
        addReading(slotFor(sensor, slotOf(time / 1e6)), input);
      }
    },
    isEmpty: (): boolean => slots.size === 0,
    /** Call last in the transaction. */
    end(): void {
      for (const slot of slots.values()) {
        upsert.run(slot.sensor, ...fromRollUp(slot, false));
        staleDays.mark(slot.sensor, slot.start);
      }
      end.run();
    },
    /** Call after the transaction. */
    committed: (): void => denseSlots.add(stored),
  };
}
