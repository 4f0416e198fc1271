import { expect, test } from 'vitest';
import { JSON_TYPE, send, store } from '../support/ingest/batch-posts';

test('stores readings of at most 64 days at once', async () => {
  const readings = Array.from({ length: 300 }, (_, i) => ({
    co2: i,
    voc: 1,
    // Two of each day.
    created_at: new Date(Date.UTC(2020, 0, 1 + i / 2)).toISOString(),
  }));
  await send(JSON_TYPE, JSON.stringify(readings));
  const days = store.inserted.map(
    (stored) => new Set(stored.map((row) => row.created_at?.slice(0, 10))).size,
  );
  expect(Math.max(...days)).toBe(64);
  expect(store.inserted.flat()).toHaveLength(300);
});
