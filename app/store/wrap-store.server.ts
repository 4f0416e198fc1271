/** Wrappers of a store: one counts its failures, one ends its reads. Both hold for every call, also for new ones. */
import { countStoreError, type Operation } from '../metrics/counts.server';
import { type ReadingStore, StoreUnavailableError } from './reading-store';

type PagedCall = {
  [Name in keyof ReadingStore]-?: ReadingStore[Name] extends (...values: never[]) => AsyncIterable<unknown>
    ? Name
    : never;
}[keyof ReadingStore];

/** What a wrapper does around the calls of a store. */
interface Around {
  read<Result>(start: () => Promise<Result>): Promise<Result>;
  pages<Page>(start: () => AsyncIterable<Page>): AsyncIterable<Page>;
  /** Left out if writes stay as they are. */
  write?<Result>(start: () => Promise<Result>): Promise<Result>;
  /** Members for the query of each read. */
  query?: object;
}

const WRITES = ['insert', 'insertAll', 'add', 'remove', 'keep', 'change', 'restore', 'giveUp'];
/** The calls that yield pages. The type refuses a list without one of them. */
const PAGED: Record<PagedCall, true> = {
  read: true,
  rollUps: true,
  averages: true,
  roomTotals: true,
  removeRaw: true,
};
/** Calls that neither read nor write data. */
const OTHERS = ['checkHealth', 'close', 'clockLeadMs'];

/** Returns a store with `around` around each read and write. Every other call and member is the store's own. */
function wrap(store: ReadingStore, around: Around): ReadingStore {
  return {
    ...wrapCalls(store, around),
    room: wrapCalls(store.room, around),
    notes: wrapCalls(store.notes, around),
    settings: wrapCalls(store.settings, around),
    deletions: wrapCalls(store.deletions, around),
  };
}

function wrapCalls<Part extends object>(part: Part, { read, pages, write, query }: Around): Part {
  const members = Object.entries(part).map(([name, member]) => {
    if (typeof member !== 'function' || OTHERS.includes(name)) return [name, member];
    if (WRITES.includes(name)) {
      return [name, write ? (...values: unknown[]) => write(() => member(...values)) : member];
    }
    const around = name in PAGED ? pages : read;
    const completed = (value: unknown) => (isQuery(value) ? { ...value, ...query } : value);
    return [name, (...values: unknown[]) => around(() => member(...values.map(completed)))];
  });
  return Object.fromEntries(members) as Part;
}

const isQuery = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns a store that counts failed reads and writes. Failed health checks don't count. */
export function countedStore(store: ReadingStore): ReadingStore {
  const noted = (operation: Operation) => (error: unknown) => {
    if (error instanceof StoreUnavailableError) countStoreError(operation);
    throw error;
  };
  return wrap(store, {
    read: (start) => start().catch(noted('read')),
    write: (start) => start().catch(noted('write')),
    async *pages(start) {
      try {
        yield* start();
      } catch (error) {
        noted('read')(error);
      }
    },
  });
}

/** Returns a store whose reads end once the signal is aborted, before their next page. */
export function stoppableStore(store: ReadingStore, signal: AbortSignal): ReadingStore {
  return wrap(store, {
    async read(start) {
      signal.throwIfAborted();
      return start();
    },
    async *pages(start) {
      signal.throwIfAborted();
      for await (const page of start()) {
        yield page;
        signal.throwIfAborted();
      }
    },
    query: { signal },
  });
}
