import { at as itemAt } from '../readings/at';
import { asPosted } from '../readings/correction';
import type { FieldError } from '../readings/field-error';
import { METRICS } from '../readings/metric';
import { type Reading, type ReadingInput, sensorOf, UNNAMED } from '../readings/reading';
import {
  BATCH_READINGS,
  ReadingRejectedError,
  type ReadingStore,
  SensorRefusedError,
  StoreUnavailableError,
} from '../store/reading-store';
import { type ItemGroups, nextBatchTurn } from './batch-items.server';
import { doubtfulIn, firstDoubtful } from './doubtful-values.server';
import { firstIgnored } from './ignored-members.server';
import { type ParseOptions, parseReading } from './parse-reading.server';

/** The most errors in a report. */
export const ERROR_LIMIT = 100;

/** The errors of a refused reading. `item` counts from 0, `line` from 1. */
export type BatchError = ({ item: number } | { line: number }) & { errors: FieldError[] };

export interface BatchReport {
  stored: number;
  /** Readings that were stored before with the same values. */
  duplicates: number;
  /** Readings that are invalid, or in conflict with a stored one. */
  refused: number;
  /** The unknown members of stored readings and duplicates; left out if there are none. */
  ignored?: number;
  /** The values of stored readings and duplicates that no working sensor reports; left out if there are none. */
  doubtful?: number;
  errors: BatchError[];
}

/** The result of storing a batch. `failure` is set if the store failed before the end of the batch. */
export interface BatchResult {
  report: BatchReport;
  valid: number;
  failure?: StoreUnavailableError;
  /** The number of readings that may be stored although the store failed. */
  unknown: number;
  /** The refused readings whose times are a little ahead, and the milliseconds until the first one is accepted. */
  waiting: { count: number; waitMs: number };
  /** True if a reading of the unnamed sensor was stored or is a duplicate. */
  isOfUnnamed: boolean;
  /** True if readings without a time are or may be stored. Sending them again would store them twice. */
  hasTimeless: boolean;
  /** A line for the log about one sensor with ignored members or doubtful values, unless it had one before. */
  detail?: string;
}

interface BatchOptions extends Pick<ParseOptions, 'translate' | 'ifAhead'> {
  /** Called after a conflict. Returns true if the report may contain stored values. */
  mayRead: () => boolean;
}

/** Parses and stores a batch in steps. Other requests are answered between the steps, and batches take turns. */
export async function storeBatch(
  store: Pick<ReadingStore, 'insertAll' | 'blocksOnInsert'>,
  groups: ItemGroups,
  unit: 'item' | 'line',
  { mayRead, ...options }: BatchOptions,
): Promise<BatchResult> {
  const result: BatchResult = {
    report: { stored: 0, duplicates: 0, refused: 0, errors: [] },
    valid: 0,
    unknown: 0,
    waiting: { count: 0, waitMs: Number.POSITIVE_INFINITY },
    isOfUnnamed: false,
    hasTimeless: false,
  };
  const { report } = result;
  let refused: RefusedItem[] = [];

  const refuse = (at: number, errors: FieldError[]) => {
    report.refused += 1;
    refused.push({ at, errors });
    if (refused.length > 2 * ERROR_LIMIT) refused = firstOf(refused);
  };
  const noteWaiting = (waitMs: number) => {
    const { waiting } = result;
    result.waiting = { count: waiting.count + 1, waitMs: Math.min(waiting.waitMs, waitMs) };
  };
  const noteStored = ({ created_at }: ReadingInput) => {
    result.hasTimeless ||= created_at === undefined;
  };

  async function tryInsert(readings: readonly ReadingInput[]) {
    try {
      return await store.insertAll(readings);
    } catch (error) {
      if (error instanceof StoreUnavailableError && error.mayBeStored) {
        result.unknown = readings.length;
        for (const reading of readings) noteStored(reading);
      }
      throw error;
    }
  }

  async function insert(items: readonly ValidItem[]): Promise<void> {
    const results = await tryInsert(items.map(({ reading }) => reading));
    for (const [i, inserted] of results.entries()) {
      const { at, reading, ignored } = itemAt(items, i);
      if (inserted instanceof SensorRefusedError) {
        // A name is part of the reading, but a full server can store the reading later.
        if (!inserted.isFull) result.valid -= 1;
        refuse(at, [{ field: 'sensor', detail: inserted.reason }]);
      } else if (inserted instanceof ReadingRejectedError) {
        refuse(at, [{ field: unit, detail: inserted.message }]);
      } else if (inserted.outcome === 'conflict') {
        refuse(at, [{ field: 'created_at', detail: conflictDetail(inserted.reading, reading, mayRead()) }]);
      } else {
        result.isOfUnnamed ||= sensorOf(reading) === UNNAMED;
        if (inserted.outcome === 'stored') {
          report.stored += 1;
          noteStored(reading);
        } else report.duplicates += 1;
        const doubtful = doubtfulIn(reading);
        if (doubtful) report.doubtful = (report.doubtful ?? 0) + doubtful.length;
        if (ignored) report.ignored = (report.ignored ?? 0) + ignored.length;
        result.detail ??= firstIgnored(sensorOf(reading), ignored) ?? firstDoubtful(reading, doubtful);
      }
    }
    await nextBatchTurn();
  }

  try {
    let valid: ValidItem[] = [];
    const days = new Set<string>();
    for (const group of groups) {
      const now = Date.now();
      for (const item of group) {
        const parsed =
          'error' in item
            ? { ok: false as const, errors: [item.error] }
            : parseReading(item.value, { ...options, now });
        if (!parsed.ok) {
          if ('waitMs' in parsed && parsed.waitMs !== undefined) noteWaiting(parsed.waitMs);
          refuse(item.at, parsed.errors);
          continue;
        }
        result.valid += 1;
        days.add(dayOf(parsed.reading));
        if (valid.length === BATCH_READINGS || days.size > daysPerTurn(store)) {
          await insert(valid);
          valid = [];
          days.clear();
          days.add(dayOf(parsed.reading));
        }
        valid.push({ at: item.at, reading: parsed.reading, ignored: parsed.ignored });
      }
      await nextBatchTurn();
    }
    if (valid.length > 0) await insert(valid);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    result.failure = error;
  }
  report.errors = firstOf(refused).map(({ at, errors }) =>
    unit === 'item' ? { item: at, errors } : { line: at, errors },
  );
  return result;
}

interface ValidItem {
  at: number;
  reading: ReadingInput;
  ignored?: string[];
}

interface RefusedItem {
  at: number;
  errors: FieldError[];
}

/** Returns the errors for the report. The store refuses readings later than those that are invalid. */
const firstOf = (refused: readonly RefusedItem[]) =>
  [...refused].sort((a, b) => a.at - b.at).slice(0, ERROR_LIMIT);

const dayOf = ({ sensor, created_at }: ReadingInput): string => `${created_at?.slice(0, 10)} ${sensor}`;

/**
 * Describes how a reading differs from the stored one of its sensor and time, without the stored values for a sender that may not read.
 * The text follows `created_at`.
 */
export function conflictDetail(stored: Reading, sent: ReadingInput, mayRead: boolean): string {
  const measured = METRICS.filter(({ field }) => (mayRead && field in stored) || field in sent);
  const values = (reading: ReadingInput) =>
    measured.map(({ field }) => `${field} ${reading[field] ?? null}`).join(' and ');
  if (!mayRead) return `is the time of a reading that is stored with other values than ${values(sent)}`;
  return `is the time of a reading that is stored with ${values(asPosted(stored))}, not ${values(sent)}`;
}

/**
 * The most (sensor, day) pairs that one transaction may touch. Each pair changes other pages of the file; 500 pairs
 * would block the event loop for a tenth of a second.
 */
const DAYS_PER_TURN = 64;

function daysPerTurn({ blocksOnInsert }: Pick<ReadingStore, 'blocksOnInsert'>): number {
  return blocksOnInsert ? DAYS_PER_TURN : Number.POSITIVE_INFINITY;
}
