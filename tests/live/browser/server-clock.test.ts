import { expect, test } from 'vitest';
import { serverTimeAt } from '../../../app/live/browser/server-clock';

test("follows the server's clock even if the viewer's is an hour wrong", () => {
  const clock = { serverTime: 1_000_000, viewerTime: 1_000_000 + 3_600_000 };
  expect(serverTimeAt(clock, clock.viewerTime)).toBe(1_000_000);
  expect(serverTimeAt(clock, clock.viewerTime + 5000)).toBe(1_005_000);
});

test("stands still until the viewer's clock has been read", () => {
  expect(serverTimeAt({ serverTime: 1_000_000, viewerTime: 5 }, null)).toBe(1_000_000);
});
