import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { timeLimit } from '../../app/config/time-limit.server.js';

test('ends a request that gets no answer, also if garbage is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stopping = new AbortController();
  const collecting = setInterval(collect, 20);
  try {
    const asked = fetch(`http://127.0.0.1:${port}`, { signal: timeLimit(300, stopping.signal) });
    await expect(asked).rejects.toThrow('The time is up.');
  } finally {
    clearInterval(collecting);
    server.closeAllConnections();
    server.close();
  }
});

test('ends with the other signal, and many limits of one signal are no warning', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  const other = new AbortController();
  const limits = Array.from({ length: 30 }, () => timeLimit(60_000, other.signal));
  other.abort(new Error('gone'));
  expect(new Set(limits.map(({ reason }) => reason.message))).toEqual(new Set(['gone']));
  expect(timeLimit(60_000, other.signal).aborted).toBe(true);
  await new Promise(setImmediate);
  process.off('warning', warned);
  expect(warned).not.toHaveBeenCalled();
});
