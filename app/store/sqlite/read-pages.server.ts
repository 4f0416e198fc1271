import { eventLoopTurns } from '../../config/event-loop-turns.server';
import type { Reading } from '../../readings/reading';
import { parseReadingTime } from '../../readings/time/reading-time';
import {
  type Cursor,
  PAGE_ROWS,
  type Selection,
  STEP_ROWS,
  type sqliteQueries,
} from './sqlite-queries.server';

type Queries = ReturnType<typeof sqliteQueries>;

/** Resolves in a turn of the event loop that no other reader has, however fast a client takes its pages. */
export const nextReadersTurn = eventLoopTurns();

/** Runs a query of the store. */
type Run = <T>(query: () => T) => Promise<T>;

/**
 * Yields pages of readings, oldest first, or in the order of id if the selection has `after`. Each query runs in its
 * own turn of the event loop.
 */
export async function* readPages(
  queries: Queries,
  selection: Selection,
  limit: number | undefined,
  runQuery: Run,
): AsyncGenerator<Reading[]> {
  const run: Run = async (query) => {
    await nextReadersTurn();
    return runQuery(query);
  };
  if (selection.after === undefined) yield* readByTime(queries, selection, limit, run);
  else yield* readById(queries, { ...selection, after: selection.after }, limit, run);
}

async function* readByTime(queries: Queries, selection: Selection, limit: number | undefined, run: Run) {
  let cursor = limit === undefined ? undefined : await startOfNewest(queries, selection, limit, run);
  for (;;) {
    const page = await run(() => queries.page(cursor, selection));
    yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    cursor = { time: parseReadingTime(last.created_at) as number, id: last.id };
  }
}

/** Returns the cursor before the newest `limit` readings: walks the entries of an index, a step at a time. */
async function startOfNewest(queries: Queries, selection: Selection, limit: number, run: Run) {
  let cursor: Cursor | undefined;
  for (let left = limit + 1; left > 0; left -= STEP_ROWS) {
    const older = await run(() => queries.olderThan(cursor, Math.min(left, STEP_ROWS), selection));
    if (!older) return undefined;
    cursor = older;
  }
  return cursor;
}

type SelectionById = Selection & { after: number };

const hasSpan = ({ from, to }: Selection) => from !== undefined || to !== undefined;

/** No index has the order of id within a span of time: a page is what the span has of the next ids, and may be short. */
async function* readById(queries: Queries, selection: SelectionById, limit: number | undefined, run: Run) {
  const findStart = hasSpan(selection) ? idBeforeNewestInSpan : idBeforeNewest;
  let after = limit === undefined ? selection.after : await findStart(queries, selection, limit, run);
  for (;;) {
    const { page, upTo } = await run(() => {
      const upTo = queries.idAfter(after, PAGE_ROWS, selection);
      return { upTo, page: queries.pageById(after, upTo, selection) };
    });
    if (page.length > 0) yield page;
    if (upTo === undefined) return;
    after = upTo;
  }
}

/** Returns the id before the newest `limit` readings in the order of id. */
async function idBeforeNewest(queries: Queries, selection: SelectionById, limit: number, run: Run) {
  let below = Number.MAX_SAFE_INTEGER;
  for (let left = limit; left > 0; left -= STEP_ROWS) {
    const start = await run(() => queries.idBefore(below, Math.min(left, STEP_ROWS), selection));
    if (start === undefined) return selection.after;
    below = start;
  }
  return below - 1;
}

async function idBeforeNewestInSpan(queries: Queries, selection: SelectionById, limit: number, run: Run) {
  let below = Number.MAX_SAFE_INTEGER;
  for (let left = limit; ; ) {
    const { start, ids } = await run(() => {
      const start = queries.idBefore(below, PAGE_ROWS, selection);
      const above = start === undefined ? selection.after : start - 1;
      return { start, ids: queries.idsBetween(above, below, left, selection) };
    });
    left -= ids.length;
    if (left === 0) return (ids.at(-1) as number) - 1;
    if (start === undefined) return selection.after;
    below = start;
  }
}
