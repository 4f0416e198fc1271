import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { divideFiles } from '../../../app/http/guard/connections.server';
import { openConnection, parseAnswer } from '../../support/server/raw-client';
import { freePort } from '../../support/server/server';
import { until } from '../../support/until';

// Overrides `ALLOWED_ORIGINS` of a `.env` file.
Object.assign(process.env, { ALLOWED_ORIGINS: '' });

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Opens a server that answers everything with 200, as remix-serve would without the guard. */
async function listen(port = 0): Promise<Server> {
  const server = createServer((_request, response) => response.end('unguarded'));
  servers.push(server.listen(port, '127.0.0.1'));
  await once(server, 'listening');
  return server;
}

/** Sends a request that the guard refuses with 405, and returns the response's status. */
async function statusOfTrace(server: Server): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const { socket, received } = openConnection(port, 'TRACE /page HTTP/1.1\r\nHost: board\r\n\r\n');
  const { status } = await until(() => parseAnswer(received()));
  socket.destroy();
  return status;
}

const isGuarded = async (server: Server) => (await statusOfTrace(server)) === 405;

let installRequestGuard: typeof import('../../../app/http/guard/remix-serve.server').installRequestGuard;

beforeAll(async () => {
  ({ installRequestGuard } = await import('../../../app/http/guard/remix-serve.server'));
});

test('importing the module guards no server', async () => {
  expect(await isGuarded(await listen())).toBe(false);
});

test('guards the first server on its port from the first request on, and no other server', async () => {
  const port = await freePort();
  const before = await listen();
  const guard = installRequestGuard({}, {}, port);
  expect(installRequestGuard({}, {}, port)).toBe(guard);
  const elsewhere = await listen();
  const served = await listen(port);
  expect(await Promise.all([before, elsewhere, served].map(isGuarded))).toEqual([false, false, true]);

  // Clients that stop reading are disconnected.
  expect([before.timeout, served.timeout]).toEqual([0, 120_000]);

  // A request that is passed on reaches the server's own listener once.
  expect(await (await fetch(`http://127.0.0.1:${port}/page`)).text()).toBe('unguarded');

  // Node's parser rejects an address that exceeds the header size.
  const { received } = openConnection(port, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: board\r\n\r\n`);
  const { status, body } = await until(() => parseAnswer(received()));
  const { detail } = JSON.parse(body);
  expect([status, detail]).toEqual([431, 'The address and the headers are over 16 KiB.']);

  served.closeAllConnections();
  await new Promise((resolve) => served.close(resolve));
  expect(await isGuarded(await listen(port))).toBe(false);
});

test.each([1024, 20_000, Number.MAX_SAFE_INTEGER])(
  'connections and the files of pages fit into a maximum of %i open files',
  (limit) => {
    const { connections, streams, requests } = divideFiles(limit);
    expect(connections + requests).toBeLessThan(limit - 50);
    expect(streams).toBeLessThan(connections);
    expect(streams).toBeGreaterThan(limit / 2);
  },
);
