import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MetricField, Thresholds } from '../../../readings/metric';
import {
  groupPage,
  groupRollUps,
  type RollUp,
  type Steps,
  stepStart,
} from '../../../readings/roll-up/roll-up';
import { singleRollUps } from '../../../readings/roll-up/short-steps';
import { levelSlots, SLOT_SECONDS, slotOf } from '../../../readings/roll-up/slot';
import { DAY_S, utcDay } from '../../../readings/time/durations';
import type { HistoryQuery } from '../../reading-store';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import type { ReadRows } from '../reads/sqlite-reader.server';
import { levelledTotals, mergedTotals } from '../schema/sqlite-roll-up-schema.server.js';
import { isOver, KEPT_STEPS, type sqliteDirtyDays, type sqliteLevelLimits } from './sqlite-dirty-days.server';
import type { SqliteRawFrom } from './sqlite-raw-removal.server';
import { PAGE_SLOTS, type RollUpRow, readSlotsAround, toRollUp } from './sqlite-slots.server';

/**
 * The most rows of `roll_ups` that one query merges (about 5 ms on libsql's thread), and the most steps that it returns
 * to the event loop.
 */
const PAGE_ROWS = 4000;
const PAGE_STEPS = 500;

/** Roll-ups of a span, complete up to `upTo` (seconds since 1970). */
interface Piece {
  found: RollUp[];
  upTo: number;
}

/** A history query with the sensor's key instead of its name. */
type KeyedQuery = Omit<HistoryQuery, 'sensor'> & { sensor: number };

const IN_SPAN = 'from roll_ups where sensor = :sensor and step = :tier and start >= :from and start < :to';
const selectSteps = (fields: readonly MetricField[]) =>
  `select start, readings, ${levelledTotals(fields)} ${IN_SPAN} order by start`;
/** Merges the rows of each step. `json_each` yields the steps in order, so SQLite doesn't sort. */
const selectMerged = (fields: readonly MetricField[]) => `
  select steps.value, sum(readings), ${mergedTotals(fields)} from json_each(:starts) as steps cross join roll_ups
  where sensor = :sensor and step = :tier
    and start >= max(steps.value, :from) and start < min(steps.value + :length, :to)
  group by steps.rowid`;
const SELECT_FIRST = `select start ${IN_SPAN} order by start limit 1`;

interface Parts {
  readRows: ReadRows;
  metrics: SqliteMetrics;
  dirtyDays: ReturnType<typeof sqliteDirtyDays>;
  /** Tiers are kept for the thresholds of their sensor. Queries with other thresholds read slots. */
  levelLimits: Pick<ReturnType<typeof sqliteLevelLimits>, 'isKeptFor'>;
  rawFrom: Pick<SqliteRawFrom, 'of'>;
  run: <T>(query: () => Promise<T>) => Promise<T>;
  /** Runs writes in a transaction. */
  write: (writes: () => void) => void;
}

/**
 * Reads the roll-ups of a query in pages. Missing slots and dirty days are computed first. A step is merged from:
 * - days, hours or quarter hours, if it consists of whole ones
 * - readings, if it is shorter than a slot. Where readings were removed, a whole slot counts for the step in which it begins
 * - slots otherwise
 */
export function sqliteRollUps({ readRows, metrics, dirtyDays, levelLimits, rawFrom, run, write }: Parts) {
  const shortSteps = sqliteShortSteps(readRows, metrics);

  /**
   * Returns the time up to which a span's slots, and those around it, are complete. If the first ones are missing,
   * computes some and returns `from`.
   */
  function completeSlots(sensor: number, from: number, to: number): number {
    const unbuilt = dirtyDays.firstUnbuilt(sensor, utcDay(from) - DAY_S, to + DAY_S);
    if (!unbuilt) return to;
    const end = unbuilt.day - DAY_S;
    if (end > from) return Math.min(to, end);
    write(() => dirtyDays.build(unbuilt));
    return from;
  }

  async function fromSlots({ sensor, thresholds }: KeyedQuery, from: number, to: number): Promise<Piece> {
    const { slots: found, upTo } = await readSlotsAround(readRows, metrics.fields(), sensor, from, to);
    levelSlots(found, thresholds);
    return { found: found.filter(({ start }) => start >= from && start < upTo), upTo };
  }

  async function fromTier(tier: number, query: KeyedQuery, from: number, to: number): Promise<Piece> {
    const { sensor, step } = query;
    // `pieces` would request an empty span forever.
    if (to <= from) throw new Error(`the history of sensor ${sensor} from ${from} to ${to} can't be read`);
    const [[first] = []] = await readRows<[start: number]>(SELECT_FIRST, { sensor, tier, from, to });
    if (first === undefined) return { found: [], upTo: to };
    const upTo = Math.min(to, first + Math.min(PAGE_ROWS * tier, PAGE_STEPS * step));
    // The first and the last step may be incomplete.
    const span = { sensor, tier, from: first, to: upTo };
    const fields = metrics.fields();
    const rows =
      tier === step
        ? await readRows<RollUpRow>(selectSteps(fields), span)
        : await readRows<RollUpRow>(selectMerged(fields), { ...span, ...startsOf(query, first, upTo) });
    return { found: rows.map((row) => toRollUp(row, fields)), upTo };
  }

  /** Reads a tier up to the first dirty day. If the span begins with a dirty day, refreshes the day or reads its slots. */
  async function fromFreshTier(tier: number, query: KeyedQuery, from: number, to: number): Promise<Piece> {
    const { sensor, thresholds } = query;
    const day = utcDay(from);
    const dirty = dirtyDays.first(sensor, day, to);
    if (dirty !== day) return fromTier(tier, query, from, dirty ?? to);
    const end = Math.min(to, day + DAY_S);
    // The next reading would make the day dirty again.
    if (!isOver(day)) return fromSlots(query, from, end);
    try {
      write(() => dirtyDays.refresh({ sensor, day }, thresholds));
    } catch {
      // The disk may be full, or another program may have the lock. The slots are still correct.
      return fromSlots(query, from, end);
    }
    return fromTier(tier, query, from, end);
  }

  /** Returns a function that reads a query's next page. Its `from` is the `upTo` of the previous page. */
  function readerOf(query: KeyedQuery): (from: number, to: number) => Promise<Piece> {
    const { sensor, from, step, phase = 0, thresholds } = query;
    if (step < SLOT_SECONDS) {
      const first = Math.max(from, rawFrom.of(sensor));
      const readNext = shortSteps(sensor, first, query, thresholds);
      return async (from, to) => {
        if (from < first) {
          const { found, upTo } = await fromSlots(query, from, Math.min(to, first));
          return { found: groupPage(found, query), upTo };
        }
        const { found, isLast } = await readNext(to);
        return { found, upTo: isLast ? to : from };
      };
    }
    const tier = KEPT_STEPS.find((tier) => step % tier === 0 && phase % tier === 0);
    if (!tier) return (from, to) => fromSlots(query, from, to);
    return (from, to) =>
      levelLimits.isKeptFor(query.sensor, thresholds)
        ? fromFreshTier(tier, query, from, to)
        : fromSlots(query, from, to);
  }

  async function* pieces(query: KeyedQuery): AsyncGenerator<RollUp[]> {
    const read = readerOf(query);
    for (let from = query.from; from < query.to; ) {
      const { found, upTo } = await run(async (): Promise<Piece> => {
        const to = completeSlots(query.sensor, from, query.to);
        if (to > from) return read(from, to);
        // Let other requests run: a span may have thousands of days to compute.
        await nextTurn();
        return { found: [], upTo: from };
      });
      if (found.length > 0) yield found;
      from = upTo;
    }
  }

  return (query: KeyedQuery): AsyncIterable<RollUp[]> => groupRollUps(pieces(query), query);
}

/** Returns the starts of the steps in a span, as a JSON array, and the length of a step. */
function startsOf(steps: Steps, from: number, to: number): { starts: string; length: number } {
  const starts: number[] = [];
  for (let start = stepStart(from, steps); start < to; start += steps.step) starts.push(start);
  return { starts: JSON.stringify(starts), length: steps.step };
}

/** Readings per page. Each lies in one slot, so a page never needs more than `PAGE_SLOTS` slots. */
const PAGE_READINGS = PAGE_SLOTS;

type Row = [time: number, ...values: (number | null)[]];

const selectReadings = (fields: readonly MetricField[]) => `
  select created_at, ${fields} from data where sensor = ? and created_at > ? and created_at < ?
  order by created_at limit ${PAGE_READINGS}`;

/** Reads steps that are shorter than a slot from the readings. */
function sqliteShortSteps(readRows: ReadRows, metrics: SqliteMetrics) {
  async function levelledSlots(sensor: number, rows: readonly Row[], thresholds: Thresholds) {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return new Map<number, RollUp>();
    const from = slotOf(first[0] / 1e6);
    const to = slotOf(last[0] / 1e6) + SLOT_SECONDS;
    const found = (await readSlotsAround(readRows, metrics.fields(), sensor, from, to)).slots;
    levelSlots(found, thresholds);
    return new Map(found.map((slot) => [slot.start, slot]));
  }

  /** Returns a function that reads the steps from `start` on. Each call returns the next page before `to`. */
  return (sensor: number, start: number, steps: Steps, thresholds: Thresholds) => {
    // If the span begins within a slot, the slot's first value may lie before the span.
    let after = slotOf(start) * 1e6 - 1;
    const single = singleRollUps();

    return async (to: number): Promise<{ found: RollUp[]; isLast: boolean }> => {
      const fields = metrics.fields();
      const rows = await readRows<Row>(selectReadings(fields), sensor, after, to * 1e6);
      const levelled = await levelledSlots(sensor, rows, thresholds);
      const singles = rows.map(([time, ...values]) => {
        const second = Math.floor(time / 1e6);
        const measured = Object.fromEntries(fields.map((field, i) => [field, values[i] ?? null]));
        return single(second, measured, levelled.get(slotOf(second)));
      });
      after = rows.at(-1)?.[0] ?? after;
      const inSpan = singles.filter((one) => one.start >= start);
      return { found: groupPage(inSpan, steps), isLast: rows.length < PAGE_READINGS };
    };
  };
}
