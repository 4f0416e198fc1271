import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Returns a function that resolves each of its promises in a separate event-loop turn, so that many callers at once
 * don't block other work.
 */
export function eventLoopTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
