import { afterEach, expect, test, vi } from 'vitest';
import { askResponse, askServer } from '../../../app/live/browser/ask-server';
import { isInForeignFrame } from '../../../app/live/browser/foreign-frame';

afterEach(() => vi.unstubAllGlobals());

/** A window. That of another origin denies access to its address. */
function windowIn(parent: unknown, isForeign = false) {
  const frame = {
    get location() {
      if (isForeign) throw new DOMException('Blocked a frame', 'SecurityError');
      return { href: 'http://airboard.example/' };
    },
  };
  return Object.assign(frame, { parent: parent ?? frame });
}

test.each([
  ['a page of its own', windowIn(null), false],
  ['a frame of its own site', windowIn(windowIn(null)), false],
  ['a frame of another site', windowIn(windowIn(null, true)), true],
  ['a frame in a frame of another site', windowIn(windowIn(windowIn(null, true))), true],
  ['its own site around another one', windowIn(windowIn(windowIn(null), true)), true],
])('recognizes %s', (_, window, isForeign) => {
  vi.stubGlobal('window', window);
  expect(isInForeignFrame()).toBe(isForeign);
});

test.each(['POST', 'DELETE', 'PUT', 'PATCH'])('sends no %s from a frame of another site', async (method) => {
  const fetch = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('window', windowIn(windowIn(null, true)));
  await expect(askServer('/api/data', { method })).rejects.toThrow('Open airboard in a tab of its own.');
  expect(fetch).not.toHaveBeenCalled();
  await askServer('/api/data');
  await askResponse('/api/data', { method: 'HEAD' });
  expect(fetch).toHaveBeenCalledTimes(2);
});
