import { countStoreError, type Operation } from '../metrics/counts.server';
import { type ReadingStore, StoreUnavailableError } from './reading-store';

/** Returns a store that counts failed reads and writes. Failed health checks don't count. */
export function countedStore(store: ReadingStore): ReadingStore {
  const { insert, insertAll, newest, read, rollUps, summary, measured, count, sensors, lastHeard, version } =
    store;
  const { room, notes } = store;
  return {
    ...store,
    insert: counted('write', insert),
    insertAll: counted('write', insertAll),
    newest: counted('read', newest),
    read: countedPages(read),
    rollUps: countedPages(rollUps),
    summary: summary && counted('read', summary),
    measured: counted('read', measured),
    count: counted('read', count),
    sensors: counted('read', sensors),
    lastHeard: counted('read', lastHeard),
    version: version && counted('read', version),
    room: { ...room, days: counted('read', room.days), keep: counted('write', room.keep) },
    notes: {
      add: counted('write', notes.add),
      list: counted('read', notes.list),
      remove: counted('write', notes.remove),
    },
  };
}

function note(operation: Operation, error: unknown): void {
  if (error instanceof StoreUnavailableError) countStoreError(operation);
}

function counted<Arguments extends unknown[], Result>(
  operation: Operation,
  call: (...values: Arguments) => Promise<Result>,
) {
  return (...values: Arguments): Promise<Result> => {
    const result = call(...values);
    result.catch((error) => note(operation, error));
    return result;
  };
}

function countedPages<Query, Page>(call: (query: Query) => AsyncIterable<Page>) {
  return async function* (query: Query): AsyncGenerator<Page> {
    try {
      yield* call(query);
    } catch (error) {
      note('read', error);
      throw error;
    }
  };
}
