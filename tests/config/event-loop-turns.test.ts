import { expect, test } from 'vitest';
import { eventLoopTurns } from '../../app/config/event-loop-turns.server';

test('gives each caller its own event-loop turn, in the order of the calls', async () => {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const nextTurn = eventLoopTurns();
  const turns: number[] = [];
  const caller = async () => {
    for (let i = 0; i < 3; i++) {
      await nextTurn();
      turns.push(turn);
    }
  };
  await Promise.all([caller(), caller(), caller()]);
  clearImmediate(counting);
  expect(turns).toHaveLength(9);
  expect(turns).toEqual([...new Set(turns)].sort((a, b) => a - b));
});
