import type { Thresholds } from '../../../readings/level/level';
import type { MetricField } from '../../../readings/metric';
import { groupPage, type RollUp, type Steps, totalsOf } from '../../../readings/roll-up/roll-up';
import { levelSlots, SLOT_SECONDS, slotOf } from '../../../readings/roll-up/slot';
import type { ReadRows } from '../reads/sqlite-reader.server';
import { PAGE_SLOTS, readSlotsAround } from './sqlite-slots.server';

/** Readings per page. They lie in no more slots than a page of those has. */
const PAGE_ROWS = PAGE_SLOTS;

type Row = [time: number, co2: number | null, voc: number | null];

const SELECT = `
  select created_at, co2, voc from data where sensor = ? and created_at > ? and created_at < ?
  order by created_at limit ${PAGE_ROWS}`;

/** The reads of steps that are shorter than a slot, from the readings. */
export function sqliteShortSteps(readRows: ReadRows) {
  async function levelledSlots(sensor: number, rows: readonly Row[], thresholds: Thresholds) {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return new Map<number, RollUp>();
    const from = slotOf(first[0] / 1e6);
    const to = slotOf(last[0] / 1e6) + SLOT_SECONDS;
    const found = (await readSlotsAround(readRows, sensor, from, to)).slots;
    levelSlots(found, thresholds);
    return new Map(found.map((slot) => [slot.start, slot]));
  }

  /** Returns a function that reads the steps from `start` on: each call returns the next ones before `to`. */
  return (sensor: number, start: number, steps: Steps, thresholds: Thresholds) => {
    // A slot that the span cuts may have its first value before the span.
    let after = slotOf(start) * 1e6 - 1;
    /** The last slot whose first value was read. */
    const counted: Record<MetricField, number | null> = { co2: null, voc: null };

    function totalsIn(slot: RollUp | undefined, field: MetricField, value: number | null) {
      const totals = totalsOf(value);
      const levelled = slot?.[field];
      if (!totals || !slot || !levelled || counted[field] === slot.start) return totals;
      counted[field] = slot.start;
      return { ...totals, seconds: levelled.seconds };
    }

    return async (to: number): Promise<{ found: RollUp[]; isLast: boolean }> => {
      const rows = await readRows<Row>(SELECT, sensor, after, to * 1e6);
      const levelled = await levelledSlots(sensor, rows, thresholds);
      const singles = rows.map(([time, co2, voc]): RollUp => {
        const second = Math.floor(time / 1e6);
        const slot = levelled.get(slotOf(second));
        return {
          start: second,
          readings: 1,
          co2: totalsIn(slot, 'co2', co2),
          voc: totalsIn(slot, 'voc', voc),
        };
      });
      after = rows.at(-1)?.[0] ?? after;
      const inSpan = singles.filter((single) => single.start >= start);
      return { found: groupPage(inSpan, steps), isLast: rows.length < PAGE_ROWS };
    };
  };
}
