import { afterEach, expect, test, vi } from 'vitest';
import { askServer } from '../../../app/live/browser/ask-server';

afterEach(() => vi.unstubAllGlobals());

/** Asks a server that answers with this. */
const ask = (answer: () => Promise<Response>) => {
  vi.stubGlobal('fetch', answer);
  return askServer('/api/summary', {});
};

test('returns an answer in JSON', async () => {
  const answer = await ask(async () => Response.json({ readings: 1 }));
  expect(await answer.json()).toEqual({ readings: 1 });
});

test.each([
  [
    'the server’s reason',
    Response.json({ detail: 'The store is busy.' }, { status: 503 }),
    'The store is busy.',
  ],
  ['the status without a reason', new Response('', { status: 502 }), 'The server answered with status 502.'],
  [
    'that something else has answered',
    new Response('<html>login</html>', { headers: { 'Content-Type': 'text/html' } }),
    "Something other than airboard has answered, such as a network's sign-in page.",
  ],
])('throws %s', async (_what, answer, message) => {
  await expect(ask(async () => answer)).rejects.toThrow(message);
});

test("throws that the server can't be reached", async () => {
  const answer = ask(() => Promise.reject(new TypeError('fetch failed')));
  await expect(answer).rejects.toThrow("The server can't be reached.");
});
