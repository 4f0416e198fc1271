import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Returns a function that resolves in an event-loop turn of its own. However many callers it has, they hold up other work no
 * longer at a time than one does.
 */
export function eventLoopTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
