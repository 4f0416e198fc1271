import { expect, test } from 'vitest';

// The settings are read at the first check. Empty values override those of a `.env` file.
Object.assign(process.env, { POSTS_PER_MINUTE: '0', WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });
const { refuseWrite } = await import('../../app/ingest/write-access.server');

/** Returns the status of a refused post; undefined if it may write. */
function statusOf(headers: Record<string, string>): number | undefined {
  return refuseWrite({ header: (name) => new Headers(headers).get(name), address: () => '127.0.0.1' })
    ?.status;
}

test.each([
  ['http://board', { Host: 'board' }],
  ['http://board:3000', { Host: 'board:3000' }],
  ['http://board', { Host: 'Board' }],
  ['https://board', { Host: 'board:443' }],
  ['http://board', { Host: 'board:80' }],
  ['http://[::1]:3000', { Host: '[0:0::1]:3000' }],
  ['https://air.example', { Host: '127.0.0.1:3000', 'X-Forwarded-Host': 'air.example' }],
  ['https://air.example', { Host: '127.0.0.1:3000', 'X-Forwarded-Host': 'Air.Example:443' }],
  ['https://air.example', { Host: '127.0.0.1:3000', 'X-Forwarded-Host': 'air.example, proxy.local' }],
  ['https://air.example', { Host: '127.0.0.1:3000', 'X-Forwarded-Host': ' air.example:443 ,proxy.local' }],
])('accepts posts of the page at %s on a server addressed with %j', (origin, headers) => {
  expect(statusOf({ Origin: origin, 'Sec-Fetch-Site': 'same-origin', ...headers })).toBeUndefined();
});

test.each([
  ['http://evil.example', { Host: 'board' }],
  ['http://board:3000', { Host: 'board' }],
  ['https://board', { Host: 'board:80' }],
  ['http://board.evil.example', { Host: 'board' }],
  ['https://proxy.local', { Host: 'board', 'X-Forwarded-Host': 'air.example, proxy.local' }],
  ['null', { Host: 'null' }],
  ['http://', { Host: '' }],
  ['file://', { Host: 'board', 'X-Forwarded-Host': '' }],
  ['http://board', { Host: 'board', 'Sec-Fetch-Site': 'cross-site' }],
])('rejects posts of the page at %s on a server addressed with %j', (origin, headers) => {
  expect(statusOf({ Origin: origin, ...headers })).toBe(403);
});
