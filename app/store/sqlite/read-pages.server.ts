import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reading } from '../../readings/reading';
import type { ReadingQuery } from '../reading-store';
import { type Cursor, PAGE_ROWS, STEP_ROWS, type sqliteQueries } from './sqlite-queries.server';

type Queries = Pick<ReturnType<typeof sqliteQueries>, 'page' | 'olderThan'>;

/** Runs a query of the store. */
type Run = <T>(query: () => T) => Promise<T>;

/** Yields pages of readings, oldest first. Each query runs in its own turn of the event loop. */
export async function* readPages(
  queries: Queries,
  query: ReadingQuery,
  runQuery: Run,
): AsyncGenerator<Reading[]> {
  const run: Run = async (query) => {
    await nextReadersTurn();
    return runQuery(query);
  };
  let cursor = await startCursor(queries, query, run);
  for (;;) {
    const page = await run(() => queries.page(cursor, query));
    yield page;
    if (page.length < PAGE_ROWS) return;
    cursor = page.at(-1) as Reading;
  }
}

/** Returns the cursor before the first row to read. Walks `limit` entries of an index, a step at a time. */
async function startCursor(queries: Queries, { limit, after }: ReadingQuery, run: Run): Promise<Cursor> {
  const beginning = { created_at: '', id: after ?? 0 };
  if (limit === undefined) return beginning;
  let cursor = { created_at: '\u{10ffff}', id: Number.MAX_SAFE_INTEGER };
  for (let left = limit + 1; left > 0; left -= STEP_ROWS) {
    const older = await run(() => queries.olderThan(cursor, Math.min(left, STEP_ROWS), after));
    if (!older) return beginning;
    cursor = older;
  }
  return cursor;
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which no other reader has one. Otherwise a client that takes pages
 * as fast as they come, or many clients together, would hold up everyone else.
 */
function nextReadersTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}
