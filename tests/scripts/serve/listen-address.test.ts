import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { addressesToOpen, listenAdvice, listenHost } from '../../../scripts/serve/listen-address.js';

test.each([
  ['::1', 'http://[::1]:3155'],
  ['[::1]', 'http://[::1]:3155'],
  ['127.0.0.1', 'http://127.0.0.1:3155'],
  ['192.168.1.20', 'http://192.168.1.20:3155'],
  ['air.local', 'http://air.local:3155'],
])('HOST=%s is reachable only at %s', (host, address) => {
  expect(addressesToOpen(listenHost(host), '3155')).toEqual([address]);
});

test.each(['', '0.0.0.0', '::', '[::]'])(
  'HOST=%s is reachable at localhost and an address of the machine',
  (host) => {
    const [local, ...others] = addressesToOpen(listenHost(host), '3155');
    expect(local).toBe('http://localhost:3155');
    const own = Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address));
    for (const other of others) expect(own).toContain(new URL(other).hostname);
  },
);

test.each([
  ['listen', 'EADDRINUSE', '3000', /^Stop the program that uses that port, or set PORT to another/],
  ['listen', 'EACCES', '80', /ports below 1024: set PORT to 1024 or higher\. docs\/install\.md/],
  ['listen', 'EACCES', '3000', /set PORT to another/],
  ['listen', 'EADDRNOTAVAIL', '80', /^Set HOST to an address of this machine/],
  ['getaddrinfo', 'ENOTFOUND', '3000', /^Set HOST to an address of this machine/],
])('%s %s at port %s has specific advice', (syscall, code, port, advice) => {
  expect(listenAdvice(Object.assign(new Error(), { syscall, code }), port)).toMatch(advice);
});

test('gives no advice about other errors', () => {
  expect(listenAdvice(new Error('a bug'), '80')).toBeNull();
  expect(listenAdvice(Object.assign(new Error(), { syscall: 'open', code: 'EACCES' }), '80')).toBeNull();
});
