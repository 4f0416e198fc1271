import type Database from 'libsql';
import { groupRollUps } from '../../readings/roll-up/group-roll-ups';
import { levelSlots } from '../../readings/roll-up/level-slots';
import type { RollUp } from '../../readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../../readings/roll-up/slot';
import type { HistoryQuery } from '../reading-store';
import { nextReadersTurn } from './read-pages.server';
import type { sqliteLevelLimits } from './sqlite-level-limits.server';
import { type RollUpRow, toRollUp } from './sqlite-roll-up-rows.server';
import { LEVELLED_TOTALS, MERGED_TOTALS } from './sqlite-roll-up-schema.server.js';
import { sqliteShortSteps } from './sqlite-short-steps.server';
import type { sqliteSlots } from './sqlite-slots.server';
import { DAY_SECONDS, dayOf, isOver, type sqliteStaleDays, TIERS } from './sqlite-stale-days.server';

/** Rows of `roll_ups` that are read at once, and steps that they are put together to: about 5 ms of work. */
const PAGE_ROWS = 1000;
const PAGE_STEPS = 500;

/** Roll-ups of a span, complete up to `upTo` (seconds since 1970). */
interface Piece {
  found: RollUp[];
  upTo: number;
}

/** Steps of one sensor, by its key. */
type KeyedQuery = Omit<HistoryQuery, 'sensor'> & { sensor: number };

interface Parts {
  database: Database.Database;
  slots: ReturnType<typeof sqliteSlots>;
  staleDays: ReturnType<typeof sqliteStaleDays>;
  /** The tiers are kept for one set of limits. With others, slots are read. */
  levelLimits: Pick<ReturnType<typeof sqliteLevelLimits>, 'isKeptFor'>;
  /** Runs a query. */
  run: <T>(query: () => T) => Promise<T>;
  /** Runs writes in a transaction. */
  write: (writes: () => void) => void;
}

/**
 * Returns the roll-ups of a query, each part in its own turn of the event loop. Steps are put together of days, hours or
 * quarters if those begin and end with them, otherwise of slots, and those shorter than a slot of readings. What isn't up
 * to date in the span is computed first.
 */
export function sqliteRollUps({ database, slots, staleDays, levelLimits, run, write }: Parts) {
  const shortSteps = sqliteShortSteps(database, slots);
  const inSpan = 'from roll_ups where sensor = :sensor and step = :tier and start >= :from and start < :to';
  const select = database
    .prepare(`select start, readings, ${LEVELLED_TOTALS} ${inSpan} order by start`)
    .raw();
  const selectMerged = database
    .prepare(
      `select start - ((start - :phase) % :step + :step) % :step as begins, sum(readings), ${MERGED_TOTALS} ${inSpan}
      group by begins`,
    )
    .raw();
  const selectFirst = database
    .prepare(
      'select start from roll_ups where sensor = ? and step = ? and start >= ? and start < ? order by start limit 1',
    )
    .pluck();

  /**
   * Returns up to when the slots of a span, and those around them, are complete. If not even those at its beginning are,
   * it computes some and returns `from`.
   */
  function completeSlots(sensor: number, from: number, to: number): number {
    const unbuilt = staleDays.firstUnbuilt(sensor, dayOf(from) - DAY_SECONDS, to + DAY_SECONDS);
    if (!unbuilt) return to;
    const end = unbuilt.day - DAY_SECONDS;
    if (end > from) return Math.min(to, end);
    write(() => staleDays.build(unbuilt));
    return from;
  }

  function fromSlots({ sensor, thresholds }: KeyedQuery, from: number, to: number): Piece {
    const { slots: found, upTo } = slots.around(sensor, from, to);
    levelSlots(found, thresholds);
    return { found: found.filter(({ start }) => start >= from && start < upTo), upTo };
  }

  function fromTier(tier: number, query: KeyedQuery, from: number, to: number): Piece {
    const { sensor, step, phase = 0 } = query;
    const [first = to] = selectFirst.all(sensor, tier, from, to) as number[];
    const upTo = Math.min(to, first + Math.min(PAGE_ROWS * tier, PAGE_STEPS * step));
    // Such a span would be asked for again and again.
    if (upTo <= from) throw new Error(`the history of sensor ${sensor} from ${from} to ${to} can't be read`);
    // The first and the last step may be parts of steps.
    const span = { sensor, tier, from: first, to: upTo };
    const rows = tier === step ? select.all(span) : selectMerged.all({ ...span, step, phase });
    return { found: (rows as RollUpRow[]).map(toRollUp), upTo };
  }

  /** Reads a tier up to the first stale day. If that comes first, it is refreshed, or its slots are read. */
  function fromFreshTier(tier: number, query: KeyedQuery, from: number, to: number): Piece {
    const { sensor, thresholds } = query;
    const day = dayOf(from);
    const stale = staleDays.first(sensor, day, to);
    if (stale !== day) return fromTier(tier, query, from, stale ?? to);
    const end = Math.min(to, day + DAY_SECONDS);
    // A reading that is stored soon would make it stale again.
    if (!isOver(day)) return fromSlots(query, from, end);
    try {
      write(() => staleDays.refresh({ sensor, day }, thresholds));
    } catch {
      // The disk may be full, or another program may have the lock. The slots are right all the same.
      return fromSlots(query, from, end);
    }
    return fromTier(tier, query, from, end);
  }

  /** Returns a function that reads part of a query's span: each call gets the end of the last one. */
  function readerOf(query: KeyedQuery): (from: number, to: number) => Piece {
    const { sensor, from, step, phase = 0, thresholds } = query;
    if (step < SLOT_SECONDS) {
      const readNext = shortSteps(sensor, from, query, thresholds);
      return (from, to) => {
        const { found, isLast } = readNext(to);
        return { found, upTo: isLast ? to : from };
      };
    }
    const tier = TIERS.find((tier) => step % tier === 0 && phase % tier === 0);
    if (!tier) return (from, to) => fromSlots(query, from, to);
    return (from, to) =>
      levelLimits.isKeptFor(thresholds) ? fromFreshTier(tier, query, from, to) : fromSlots(query, from, to);
  }

  async function* pieces(query: KeyedQuery): AsyncGenerator<RollUp[]> {
    const read = readerOf(query);
    for (let from = query.from; from < query.to; ) {
      await nextReadersTurn();
      const { found, upTo } = await run((): Piece => {
        const to = completeSlots(query.sensor, from, query.to);
        return to > from ? read(from, to) : { found: [], upTo: from };
      });
      if (found.length > 0) yield found;
      from = upTo;
    }
  }

  return (query: KeyedQuery): AsyncIterable<RollUp[]> => groupRollUps(pieces(query), query);
}
