import type { Reading } from '../../../readings/reading';
import { parseReadingTime } from '../../../readings/time/reading-time';
import {
  type Cursor,
  PAGE_ROWS,
  type Selection,
  STEP_ROWS,
  type sqliteQueries,
} from './sqlite-queries.server';

type Queries = ReturnType<typeof sqliteQueries>;

/** Runs a query of the store. */
type Run = <T>(query: () => Promise<T>) => Promise<T>;

/** Yields pages of readings, oldest first, or in the order of id if the selection has `after`. */
export async function* readPages(
  queries: Queries,
  selection: Selection,
  limit: number | undefined,
  run: Run,
): AsyncGenerator<Reading[]> {
  if (selection.after === undefined) yield* readByTime(queries, selection, limit, run);
  else yield* readById(queries, { ...selection, after: selection.after }, limit, run);
}

async function* readByTime(
  queries: Queries,
  selection: Selection,
  limit: number | undefined,
  run: Run,
): AsyncGenerator<Reading[]> {
  const cursor = limit === undefined ? undefined : await startOfNewest(queries, selection, limit, run);
  const readAfter = (cursor?: Cursor) => started(run(() => queries.page(cursor, selection)));
  for (let next = readAfter(cursor); ; ) {
    const page = await next;
    const last = page.at(-1);
    const isLast = !last || page.length < PAGE_ROWS;
    if (!isLast) next = readAfter({ time: parseReadingTime(last.created_at) as number, id: last.id });
    yield page;
    if (isLast) return;
  }
}

/** A page that is read while the one before it is sent. Nobody may ever ask for it, so its failure is not unhandled. */
function started<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {});
  return page;
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
  const readAfter = (after: number) => started(run(() => pageAfter(queries, selection, after)));
  const after = limit === undefined ? selection.after : await findStart(queries, selection, limit, run);
  for (let next = readAfter(after); ; ) {
    const { page, upTo } = await next;
    if (upTo !== undefined) next = readAfter(upTo);
    if (page.length > 0) yield page;
    if (upTo === undefined) return;
  }
}

/** Returns a page, and the id that the next one follows; undefined after the last one. */
async function pageAfter(queries: Queries, selection: SelectionById, after: number) {
  if (hasSpan(selection)) {
    const upTo = await queries.idAfter(after, PAGE_ROWS, selection);
    return { page: await queries.pageById(after, upTo, selection), upTo };
  }
  const page = await queries.pageById(after, undefined, selection);
  return { page, upTo: page.length < PAGE_ROWS ? undefined : page.at(-1)?.id };
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
    const { start, ids } = await run(async () => {
      const start = await queries.idBefore(below, PAGE_ROWS, selection);
      const above = start === undefined ? selection.after : start - 1;
      return { start, ids: await queries.idsBetween(above, below, left, selection) };
    });
    left -= ids.length;
    if (left === 0) return (ids.at(-1) as number) - 1;
    if (start === undefined) return selection.after;
    below = start;
  }
}
