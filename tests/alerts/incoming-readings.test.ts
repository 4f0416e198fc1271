import { expect, test, vi } from 'vitest';
import { beginFirst, incomingReadings, POLL_MS } from '../../app/alerts/incoming-readings.server';
import type { Reading } from '../../app/readings/reading';
import { MemoryAlertStore } from '../support/alerts/memory-alert-store';
import { airReadings, everyMinute, memoryReadings } from '../support/alerts/watching';

const some = (count: number, from = 0) => airReadings(everyMinute(from, ...Array<number>(count).fill(500)));

async function idsAfter(incoming: ReturnType<typeof incomingReadings>, cursor: number): Promise<number[]> {
  const pages: Reading[] = [];
  for await (const page of incoming.after(cursor)) pages.push(...page);
  return pages.map(({ id }) => id);
}

test('returns inserts of this process without querying the store', async () => {
  const readings = memoryReadings();
  const read = vi.spyOn(readings.store, 'read');
  const incoming = incomingReadings(readings.store);
  readings.insert(some(3));
  expect(await idsAfter(incoming, 0)).toEqual([1, 2, 3]);
  expect(read).not.toHaveBeenCalled();
});

test.each([
  ['inserted earlier', 2, 1],
  ['inserted by another process', 0, 1],
  ['beyond its capacity', 0, 12_000],
])('queries the store for readings %s', async (_, before, after) => {
  const readings = memoryReadings();
  readings.insert(some(before));
  const incoming = incomingReadings(readings.store);
  if (before === 0) readings.insertElsewhere(some(1));
  readings.insert(some(after));
  const count = before + after + (before === 0 ? 1 : 0);
  expect(await idsAfter(incoming, 0)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  expect(await idsAfter(incoming, count)).toEqual([]);
});

test('reads readings beyond its capacity from the store', async () => {
  const readings = memoryReadings();
  const incoming = incomingReadings(readings.store);
  readings.insert(some(12_000));
  expect(await idsAfter(incoming, 0)).toHaveLength(10_000);
  readings.insert(some(1));
  expect(await idsAfter(incoming, 10_000)).toHaveLength(2001);
});

test('reads again after a failure', async () => {
  const readings = memoryReadings();
  readings.insertElsewhere(some(2));
  const incoming = incomingReadings(readings.store);
  const read = vi.spyOn(readings.store, 'read').mockImplementationOnce(() => {
    throw new Error('away');
  });
  const { after } = incomingReadings(readings.store);
  readings.insert(some(1));
  await expect(idsAfter({ ...incoming, after }, 0)).rejects.toThrow('away');
  expect(await idsAfter({ ...incoming, after }, 0)).toEqual([1, 2, 3]);
  expect(read).toHaveBeenCalledTimes(2);
});

test('is due after an insert, and at intervals', () => {
  const readings = memoryReadings();
  const incoming = incomingReadings(readings.store);
  expect(incoming.isDue(0)).toBe(true);
  expect(incoming.isDue(POLL_MS - 1)).toBe(false);
  readings.insert(some(1));
  expect(incoming.isDue(POLL_MS - 1)).toBe(true);
  incoming.stop();
});

test('starts with the readings of the last day, or with the next one if there are none', async () => {
  const readings = memoryReadings();
  const alerts = new MemoryAlertStore();
  expect(await beginFirst(readings.store, alerts, 0)).toBe(0);
  readings.insert(some(5));
  const days = 3 * 24 * 60;
  readings.insert(some(2, days));
  const now = Date.parse(some(1, days)[0]?.created_at ?? '');
  expect(await beginFirst(readings.store, alerts, now)).toBe(5);
  expect(await beginFirst(readings.store, alerts, now + 30 * 86_400_000)).toBe(7);
  expect(alerts.cursor).toBe(7);
});
