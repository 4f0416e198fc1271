import { expect, test } from 'vitest';
import { eventLoopTurns } from '../../../../app/config/event-loop-turns.server';
import { mergeSorted } from '../../../../app/store/sqlite/reads/merge-sorted.server';
import { seededRandom } from '../../../../scripts/seed/seeded-random.js';

const ascending = (a: number, b: number) => a - b;

test.each([[[]], [[0]], [[1, 0, 2]], [[5, 5, 5]], [[200, 3, 1000, 1, 1700]]])(
  'merges lists of %j items into one',
  async (lengths) => {
    const random = seededRandom(1);
    const lists = lengths.map((length) => Array.from({ length }, random).sort(ascending));
    const merged = await mergeSorted(lists, ascending, eventLoopTurns());
    expect(merged).toEqual(lists.flat().sort(ascending));
  },
);
