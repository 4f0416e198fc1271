import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { connectionOf } from '../../../app/http/guard/client.server';

/** Returns the client's address on a server with this `TRUST_PROXY`. */
async function addressOf(remote: string, forwardedFor: string | null, TRUST_PROXY = ''): Promise<string> {
  Object.assign(process.env, { TRUST_PROXY, WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });
  vi.resetModules();
  const { clientAddress } = await import('../../../app/http/guard/client.server');
  return clientAddress(remote, forwardedFor);
}

test('ignores an address that the client claims', async () => {
  expect(await addressOf('192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
  expect(await addressOf('192.0.2.7', '198.51.100.1', '0')).toBe('192.0.2.7');
});

test.each([
  ['1', '203.0.113.9', '203.0.113.9'],
  ['1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['2', '198.51.100.1,203.0.113.9 , 10.0.0.2', '203.0.113.9'],
  ['2', '203.0.113.9', '127.0.0.1'],
  ['1', '2001:db8::1%1', '127.0.0.1'],
  ['1', 'unknown', '127.0.0.1'],
  ['1', '', '127.0.0.1'],
  ['1', null, '127.0.0.1'],
])('with TRUST_PROXY=%s, uses what the outermost proxy added to %j: %s', async (trust, sent, address) => {
  expect(await addressOf('127.0.0.1', sent, trust)).toBe(address);
});

test.each([
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['FE80::2', 'fe80:0:0:0'],
  ['fd12:3456:789a:1:2:3:4:5', 'fd12:3456:789a:1'],
  ['fc00::7', 'fc00:0:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001::3:4:5:6:7', '2001:0:0:3'],
])('treats %s as %s', async (remote, address) => {
  expect(await addressOf(remote, null)).toBe(address);
});

test('what waits for a client that reads nothing is dropped when it vanishes, not copied and written', async () => {
  const server = createServer((_, response) => {
    response.flushHeaders();
    server.emit('answer', response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: board\r\n\r\n');
  const [response] = (await once(server, 'answer')) as [ServerResponse];
  const write = vi.spyOn(response.socket as Socket, 'write');
  const connection = connectionOf(response);
  // More than the operating system takes, then what joins it.
  connection.write(Buffer.alloc(32 * 1024 * 1024));
  for (let i = 0; i < 3; i++) connection.write(Buffer.from('reading'));
  client.resetAndDestroy();
  await once(response, 'close');
  expect(write).toHaveBeenCalledTimes(1);
  server.close();
});
