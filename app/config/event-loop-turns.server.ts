import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Returns a function that resolves in an event-loop turn of its own: many callers hold up other work no longer at a time than one.
 */
export function eventLoopTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
