import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FieldError } from '../readings/field-error';
import type { ReadingInput } from '../readings/reading';
import { ReadingRejectedError, type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import type { BatchItem, ItemGroups } from './batch-item';
import { conflictDetail } from './conflict-detail';
import { parseReading } from './parse-reading.server';

/** How many errors an answer has at most. */
const ERROR_LIMIT = 100;

/** The position of a refused reading, and what is wrong with it. `item` counts from 0, `line` from 1. */
export type BatchError = ({ item: number } | { line: number }) & { errors: FieldError[] };

/** What became of the readings of a batch. */
export interface BatchReport {
  stored: number;
  /** Readings that were known with the same values. */
  duplicates: number;
  /** Readings that are invalid, or known with other values. */
  refused: number;
  /** The first 100 of the refused. */
  errors: BatchError[];
}

/** What became of a batch. `failure` is set if the store failed before its end. */
export interface BatchResult {
  report: BatchReport;
  /** How many readings were valid. */
  valid: number;
  failure?: StoreUnavailableError;
  /** How many readings may be stored although the store failed. */
  unknown: number;
}

/**
 * Stores the valid readings of a batch, a group at a time. Other requests are answered between the groups, and batches
 * take turns.
 *
 * @param unit what the items are numbered by
 */
export async function storeBatch(
  store: Pick<ReadingStore, 'insertAll'>,
  groups: ItemGroups,
  unit: 'item' | 'line',
): Promise<BatchResult> {
  const report: BatchReport = { stored: 0, duplicates: 0, refused: 0, errors: [] };
  let valid = 0;
  const note = (refused: RefusedItem[]) => {
    report.refused += refused.length;
    const room = ERROR_LIMIT - report.errors.length;
    refused.sort((a, b) => a.at - b.at);
    for (const { at, errors } of refused.slice(0, room)) {
      report.errors.push(unit === 'item' ? { item: at, errors } : { line: at, errors });
    }
  };
  const iterator = groups[Symbol.iterator]();
  for (;;) {
    await nextBatchTurn();
    const { done, value: group } = iterator.next();
    if (done) return { report, valid, unknown: 0 };
    const { readings, refused } = judge(group);
    valid += readings.length;
    try {
      const results =
        readings.length > 0 ? await store.insertAll(readings.map(({ reading }) => reading)) : [];
      for (const [i, result] of results.entries()) {
        const { at, reading } = readings[i] as ValidItem;
        if (result instanceof ReadingRejectedError) {
          refused.push({ at, errors: [{ field: unit, detail: result.message }] });
        } else if (result.outcome === 'conflict') {
          const detail = conflictDetail(result.reading, reading);
          refused.push({ at, errors: [{ field: 'created_at', detail }] });
        } else if (result.outcome === 'stored') report.stored += 1;
        else report.duplicates += 1;
      }
      note(refused);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      note(refused);
      return { report, valid, failure: error, unknown: error.mayBeStored ? readings.length : 0 };
    }
  }
}

interface ValidItem {
  at: number;
  reading: ReadingInput;
}

interface RefusedItem {
  at: number;
  errors: FieldError[];
}

function judge(group: readonly BatchItem[]): { readings: ValidItem[]; refused: RefusedItem[] } {
  const now = Date.now();
  const readings: ValidItem[] = [];
  const refused: RefusedItem[] = [];
  for (const item of group) {
    const { at } = item;
    const parsed =
      'error' in item ? { ok: false as const, errors: [item.error] } : parseReading(item.value, now);
    if (parsed.ok) readings.push({ at, reading: parsed.reading });
    else refused.push({ at, errors: parsed.errors });
  }
  return { readings, refused };
}

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop in which no other batch has one: many batches hold up the rest no longer than one. */
function nextBatchTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}
