import type { Insert } from './page-state';

/** A burst changes the page this often, so that thousands of readings at once don't keep it busy. */
const BATCH_MS = 50;

/** Inserts on their way to a page. */
export interface InsertBatches {
  /** Passes an insert on: at once if it is the first for a while, or else with those that follow within `BATCH_MS`. */
  add(insert: Insert): void;
  /** Passes on at once what is waiting. */
  flush(): void;
  /** Passes on what is waiting, and leaves no timer. */
  end(): void;
}

/** Collects inserts into batches for `addAll`. */
export function batchInserts(addAll: (inserts: readonly Insert[]) => void): InsertBatches {
  let waiting: Insert[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    if (waiting.length === 0) return;
    const inserts = waiting;
    waiting = [];
    addAll(inserts);
  }

  function onTimer(): void {
    timer = waiting.length > 0 ? setTimeout(onTimer, BATCH_MS) : undefined;
    flush();
  }

  return {
    add(insert) {
      waiting.push(insert);
      if (timer !== undefined) return;
      timer = setTimeout(onTimer, BATCH_MS);
      flush();
    },
    flush,
    end() {
      clearTimeout(timer);
      flush();
    },
  };
}
