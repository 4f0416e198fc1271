import type Database from 'libsql';
import { METRICS } from '../../readings/metric';
import { mergeTotals, type RollUp, totalsOf } from '../../readings/roll-up/roll-up';
import { slotOf } from '../../readings/roll-up/slot';
import type { StoredRow, sqliteDenseSlots } from './sqlite-dense-slots.server';
import { fromRollUp } from './sqlite-roll-up-rows.server';
import { BEGIN_OWN_INSERTS, END_OWN_INSERTS, UPSERT_SLOT } from './sqlite-roll-up-schema.server.js';
import type { sqliteStaleDays } from './sqlite-stale-days.server';

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
  let slots: ChangedSlot[] = [];
  let stored: StoredRow[] = [];

  function slotFor(sensor: number, start: number): ChangedSlot {
    // The rows of a batch mostly are in the order of time.
    const last = slots.at(-1);
    if (last?.start === start && last.sensor === sensor) return last;
    const slot = { sensor, start, readings: 0, co2: null, voc: null };
    slots.push(slot);
    return slot;
  }

  return {
    /** Call first in the transaction: the triggers then leave its rows to this. */
    begin(): void {
      slots = [];
      stored = [];
      begin.run();
    },
    /** Notes rows that were stored. */
    add(rows: readonly StoredRow[]): void {
      stored.push(...rows);
      for (const { sensor, time, input } of rows) {
        const slot = slotFor(sensor, slotOf(time / 1e6));
        slot.readings += 1;
        for (const { field } of METRICS) slot[field] = mergeTotals(slot[field], totalsOf(input[field]));
      }
    },
    isEmpty: (): boolean => slots.length === 0,
    /** Call last in the transaction. */
    end(): void {
      for (const slot of slots) {
        upsert.run(slot.sensor, ...fromRollUp(slot, false));
        staleDays.mark(slot.sensor, slot.start);
      }
      end.run();
    },
    /** Call after the transaction. */
    committed: (): void => denseSlots.add(stored),
  };
}
