import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Returns a function that resolves in a turn of the event loop in which no other caller of it has one: however many there
 * are, they hold up everybody else no longer than one does.
 */
export function eventLoopTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
