import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { feedOrigins } from '../../app/live/server/feed-settings.server';

const URL_OF = 'https://abcd.supabase.co';
const PUBLISHABLE = 'sb_publishable_abc';

/** Returns a JWT like Supabase's legacy keys. Only its payload matters. */
function jwt(payload: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(payload)}.signature`;
}

const ANON = jwt({ iss: 'supabase', role: 'anon' });
const SERVICE = jwt({ iss: 'supabase', role: 'service_role' });

test('uses the embedded store if no Supabase variable is set', () => {
  expect(parseEnv({}).supabase).toBeNull();
  expect(
    parseEnv({ SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '', SUPABASE_SECRET_KEY: '' }).supabase,
  ).toBeNull();
});

test.each([
  ['a publishable key', { SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE }, PUBLISHABLE, PUBLISHABLE],
  ['the legacy anon key', { SUPABASE_ANON_KEY: ANON }, ANON, ANON],
  [
    'the newer of two public keys',
    { SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE, SUPABASE_ANON_KEY: ANON },
    PUBLISHABLE,
    PUBLISHABLE,
  ],
  ['a legacy key in SUPABASE_PUBLISHABLE_KEY', { SUPABASE_PUBLISHABLE_KEY: ANON }, ANON, ANON],
  [
    'a key with whitespace around it',
    { SUPABASE_PUBLISHABLE_KEY: ` ${PUBLISHABLE}\n` },
    PUBLISHABLE,
    PUBLISHABLE,
  ],
  [
    'a secret key for the server',
    { SUPABASE_ANON_KEY: ANON, SUPABASE_SECRET_KEY: 'sb_secret_x' },
    ANON,
    'sb_secret_x',
  ],
  ['a legacy secret key', { SUPABASE_ANON_KEY: ANON, SUPABASE_SECRET_KEY: SERVICE }, ANON, SERVICE],
])('accepts %s', (_, keys, publicKey, serverKey) => {
  expect(parseEnv({ SUPABASE_URL: `${URL_OF}/`, ...keys }).supabase).toEqual({
    url: URL_OF,
    publicKey,
    serverKey,
  });
});

test.each([
  ['a URL without a key', { SUPABASE_URL: URL_OF }, /SUPABASE_PUBLISHABLE_KEY: is missing/],
  ['a key without a URL', { SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE }, /SUPABASE_URL: is missing/],
  ['an anon key without a URL', { SUPABASE_ANON_KEY: ANON }, /SUPABASE_URL: is missing/],
  [
    'a secret key alone',
    { SUPABASE_SECRET_KEY: 'sb_secret_x' },
    /SUPABASE_URL: is missing.*PUBLISHABLE_KEY: is missing/s,
  ],
  [
    'a secret key and no public one',
    { SUPABASE_URL: URL_OF, SUPABASE_SECRET_KEY: 'sb_secret_x' },
    /PUBLISHABLE_KEY: is missing/,
  ],
  [
    'a secret key as publishable key',
    { SUPABASE_URL: URL_OF, SUPABASE_PUBLISHABLE_KEY: 'sb_secret_x' },
    /PUBLISHABLE_KEY: is a secret key/,
  ],
  [
    'a service_role JWT as publishable key',
    { SUPABASE_URL: URL_OF, SUPABASE_PUBLISHABLE_KEY: SERVICE },
    /PUBLISHABLE_KEY: is a key of the role service_role/,
  ],
  [
    'a service_role JWT as anon key',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: SERVICE },
    /ANON_KEY: is a key of the role service_role/,
  ],
  [
    'a service_role JWT next to a publishable key',
    { SUPABASE_URL: URL_OF, SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE, SUPABASE_ANON_KEY: SERVICE },
    /ANON_KEY: is a key of the role service_role/,
  ],
  [
    'a JWT of another role',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: jwt({ role: 'postgres' }) },
    /role postgres/,
  ],
  [
    'a connection string as key',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: 'postgresql://postgres:pw@h/db' },
    /isn't an API key/,
  ],
  [
    'a public key as secret key',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: ANON, SUPABASE_SECRET_KEY: ANON },
    /SECRET_KEY: is a public key/,
  ],
  ...['"sb_secret_x"', "'sb_secret_x'", '“sb_secret_x”', 'Bearer sb_secret_x', `"${SERVICE}"`].map(
    (key): [string, Record<string, string>, RegExp] => [
      `${key.slice(0, 12)} as publishable key`,
      { SUPABASE_URL: URL_OF, SUPABASE_PUBLISHABLE_KEY: key },
      /PUBLISHABLE_KEY: contains a character that keys never contain, such as a quote/,
    ],
  ),
  [
    'a quoted secret key',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: ANON, SUPABASE_SECRET_KEY: '"sb_secret_x"' },
    /SECRET_KEY: contains a character that keys never contain/,
  ],
  ['an invalid URL', { SUPABASE_URL: 'abcd', SUPABASE_ANON_KEY: ANON }, /SUPABASE_URL: must be an address/],
  [
    'the address of a database',
    { SUPABASE_URL: 'postgresql://h/db', SUPABASE_ANON_KEY: ANON },
    /SUPABASE_URL: must be an address/,
  ],
  [
    'a password in the URL',
    { SUPABASE_URL: 'https://u:p@h', SUPABASE_ANON_KEY: ANON },
    /must not contain a password/,
  ],
  [
    'the URL of the REST API',
    { SUPABASE_URL: `${URL_OF}/rest/v1/`, SUPABASE_ANON_KEY: ANON },
    /address alone/,
  ],
])('rejects %s and says why', (_, env, reason) => {
  expect(() => parseEnv(env)).toThrow(reason);
});

test('shows no key in a message', () => {
  const attempt = () =>
    parseEnv({ SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: SERVICE, SUPABASE_PUBLISHABLE_KEY: 'sb_secret_x' });
  try {
    attempt();
  } catch (error) {
    expect(String(error)).not.toContain(SERVICE);
    expect(String(error)).not.toContain('sb_secret_x');
  }
  expect(attempt).toThrow();
});

test('allows connections from a page only to the https: and wss: origins of its project', () => {
  expect(feedOrigins({ kind: 'event-source' })).toEqual([]);
  expect(feedOrigins({ kind: 'supabase', url: URL_OF, key: ANON })).toEqual([
    URL_OF,
    'wss://abcd.supabase.co',
  ]);
  const local = { kind: 'supabase', url: 'http://127.0.0.1:54321/base', key: ANON } as const;
  expect(feedOrigins(local)).toEqual(['http://127.0.0.1:54321', 'ws://127.0.0.1:54321']);
});
