import { countStoreError, type Operation } from '../metrics/counts.server';
import { type ReadingStore, StoreUnavailableError } from './reading-store';

/** Returns a store that counts failed reads and writes. Failed health checks don't count. */
export function countedStore(store: ReadingStore): ReadingStore {
  const { summary, version, room, notes } = store;
  return {
    ...store,
    insert: counted('write', store.insert),
    insertAll: counted('write', store.insertAll),
    newest: counted('read', store.newest),
    read: countedPages(store.read),
    rollUps: countedPages(store.rollUps),
    summary: summary && counted('read', summary),
    measured: counted('read', store.measured),
    count: counted('read', store.count),
    sensors: counted('read', store.sensors),
    lastHeard: counted('read', store.lastHeard),
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
