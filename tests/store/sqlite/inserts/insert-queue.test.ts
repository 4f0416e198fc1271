import { expect, test } from 'vitest';
import type { ReadingInput } from '../../../../app/readings/reading';
import { insertQueue } from '../../../../app/store/sqlite/inserts/insert-queue.server';

const BATCH = 1000;
const readingsOf = (count: number) => Array.from({ length: count }, () => ({}) as ReadingInput);

test('single readings and batches take turns while as many of both keep arriving', async () => {
  const transactions: string[] = [];
  const queue = insertQueue(
    (readings) => {
      transactions.push(readings.length >= BATCH ? 'batch' : 'singles');
      return readings.map(() => ({}) as never);
    },
    (error) => error,
  );
  const addAgain = async (count: number) => {
    for (let i = 0; i < 8; i++) await queue.add(readingsOf(count));
  };
  await Promise.all([addAgain(1), addAgain(BATCH)]);
  expect(transactions).toEqual(Array.from({ length: 8 }, () => ['singles', 'batch']).flat());
});

test('a single reading waits for at most one batch, and no batch waits for all single readings', async () => {
  const order: string[] = [];
  const queue = insertQueue(
    (readings) => readings.map(() => ({}) as never),
    (error) => error,
  );
  const add = (name: string, count: number) => queue.add(readingsOf(count)).then(() => order.push(name));
  const batches = [1, 2, 3].map((n) => add(`batch ${n}`, BATCH));
  const singles = [1, 2, 3].map((n) => add(`single ${n}`, 1));
  // Joins the queue when the first single readings are stored, behind the first batch.
  const later = (singles[0] as Promise<unknown>).then(() => add('later single', 1));
  await Promise.all([...batches, ...singles, later]);
  expect(order).toEqual([
    'single 1',
    'single 2',
    'single 3',
    'batch 1',
    'later single',
    'batch 2',
    'batch 3',
  ]);
});
