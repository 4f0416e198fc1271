import type Database from 'libsql';
import { at } from '../../../readings/at';
import type { MetricField } from '../../../readings/metric';
import type { MetricTotals, RollUp } from '../../../readings/roll-up/roll-up';
import { LONGEST_SECONDS, SLOT_SECONDS, slotOf } from '../../../readings/roll-up/slot';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import type { ReadRows } from '../reads/sqlite-reader.server';
import { ONLY_FAULTY, rowTotals, slotAt, totals } from '../schema/sqlite-roll-up-schema.server.js';

/** A row of the table `slots` or, with the seconds in each level, of `roll_ups`. */
export type RollUpRow = [start: number, readings: number, ...metrics: (number | null)[]];

/** Converts a row to a roll-up. A slot's seconds in each level are 0. */
export function toRollUp(row: RollUpRow, fields: readonly MetricField[]): RollUp {
  const rollUp: RollUp = { start: row[0], readings: row[1], co2: null, voc: null };
  const columns = (row.length - 2) / fields.length;
  for (const [i, field] of fields.entries()) {
    const totals = toTotals(row, 2 + i * columns, columns > 4);
    if (totals) rollUp[field] = totals;
  }
  return rollUp;
}

function toTotals(row: RollUpRow, from: number, hasSeconds: boolean): MetricTotals | null {
  const number = (column: number) => at(row, from + column) as number;
  if (number(0) === 0) return null;
  return {
    values: number(0),
    // SQLite has no NaN, so the sum is null if infinities cancelled each other out.
    sum: row[from + 1] ?? Number.NaN,
    lowest: number(2),
    highest: number(3),
    seconds: hasSeconds
      ? { good: number(4), moderate: number(5), poor: number(6) }
      : { good: 0, moderate: 0, poor: 0 },
  };
}

/** Converts a roll-up to the values of its columns, without the seconds in each level for `slots`. */
export function fromRollUp(
  rollUp: RollUp,
  fields: readonly MetricField[],
  hasSeconds: boolean,
): (number | null)[] {
  return [
    rollUp.start,
    rollUp.readings,
    ...fields.flatMap((field) => fromTotals(rollUp[field] ?? null, hasSeconds)),
  ];
}

function fromTotals(totals: MetricTotals | null, hasSeconds: boolean): (number | null)[] {
  if (totals?.values === 0) return [0, ONLY_FAULTY, null, null];
  const { values = 0, sum = 0, lowest = null, highest = null, seconds } = totals ?? {};
  const row = [values, Number.isNaN(sum) ? null : sum, lowest, highest];
  return hasSeconds ? [...row, seconds?.good ?? 0, seconds?.moderate ?? 0, seconds?.poor ?? 0] : row;
}

/**
 * The most readings whose slots are computed in one event-loop turn, about 20 ms of work. A day with a reading every 15 s
 * has fewer.
 */
const PIECE_ROWS = 10_000;

/** Slots per page, not counting those around them. */
export const PAGE_SLOTS = 1000;

const selectSlots = (fields: readonly MetricField[]) => `
  select start, readings, ${totals(fields)} from slots where sensor = ? and start >= ? and start < ? order by start limit ?`;

const ROWS_AROUND = PAGE_SLOTS + (2 * LONGEST_SECONDS) / SLOT_SECONDS;

const boundsAround = (sensor: number, from: number, to: number) =>
  [sensor, from - LONGEST_SECONDS, to + LONGEST_SECONDS, ROWS_AROUND] as const;

/** The slots of a span and those around it, complete up to `upTo` (seconds since 1970). */
interface SlotsAround {
  slots: RollUp[];
  upTo: number;
}

function toSlotsAround(rows: readonly RollUpRow[], fields: readonly MetricField[], to: number): SlotsAround {
  const slots = rows.map((row) => toRollUp(row, fields));
  const last = slots.at(-1);
  const isCut = last !== undefined && rows.length === ROWS_AROUND;
  return { slots, upTo: isCut ? Math.min(to, last.start - LONGEST_SECONDS) : to };
}

/** Like `around` of `sqliteSlots`, but doesn't block the event loop. */
export async function readSlotsAround(
  readRows: ReadRows,
  fields: readonly MetricField[],
  sensor: number,
  from: number,
  to: number,
) {
  const rows = await readRows<RollUpRow>(selectSlots(fields), ...boundsAround(sensor, from, to));
  return toSlotsAround(rows, fields, to);
}

/**
 * Reads the table `slots`, and computes it from the readings. Every method is synchronous and throws libsql's errors.
 * Times are in seconds since 1970 and multiples of a slot.
 */
export function sqliteSlots(database: Database.Database, metrics: SqliteMetrics) {
  const select = metrics.each((fields) => database.prepare(selectSlots(fields)).raw());
  const selectTime = database
    .prepare(
      `select created_at from data where sensor = ? and created_at >= ? and created_at < ?
      order by created_at limit 1 offset ${PIECE_ROWS}`,
    )
    .pluck();
  const remove = database.prepare('delete from slots where sensor = ? and start >= ? and start < ?');
  const insertSlots = (fields: readonly MetricField[]) => `
    insert or replace into slots (sensor, start, readings, ${totals(fields)})
    select sensor, ${slotAt('created_at')} as slot, count(*), ${rowTotals(fields)} from data
    where sensor = ? and created_at >= ? and created_at < ? group by slot`;
  const insert = metrics.each((fields) => database.prepare(insertSlots(fields)));
  const insertComplete = metrics.each((fields) =>
    database.prepare(`${insertSlots(fields)} having count(*) = coalesce((
      select readings from slots as known where known.sensor = data.sensor and known.start = slot), count(*))`),
  );

  return {
    /**
     * Returns the slots of a span, and those around it that `levelSlots` needs. If there are too many for one page,
     * they are complete only up to `upTo`.
     */
    around: (sensor: number, from: number, to: number): SlotsAround =>
      toSlotsAround(select().all(...boundsAround(sensor, from, to)) as RollUpRow[], metrics.fields(), to),

    /** Computes the slots of a span, or of its beginning if it has many readings. Returns the end of the computed part. */
    compute(sensor: number, from: number, to: number): number {
      const [time] = selectTime.all(sensor, from * 1e6, to * 1e6) as number[];
      const end = time === undefined ? to : Math.max(slotOf(time / 1e6), from + SLOT_SECONDS);
      remove.run(sensor, from, end);
      insert().run(sensor, from * 1e6, end * 1e6);
      return end;
    },

    /**
     * Computes the slots of a span whose readings are all there, and keeps those that count removed readings. Returns the end of
     * the span.
     */
    complete(sensor: number, from: number, to: number): number {
      insertComplete().run(sensor, from * 1e6, to * 1e6);
      return to;
    },
  };
}
