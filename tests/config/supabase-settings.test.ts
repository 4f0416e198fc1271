import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { feedOrigins } from '../../app/live/server/feed-settings.server';

const URL_OF = 'https://abcd.supabase.co';
const PUBLISHABLE = 'sb_publishable_abc';

/** A JWT as Supabase's legacy keys are: only its payload is looked at. */
function jwt(payload: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(payload)}.signature`;
}

const ANON = jwt({ iss: 'supabase', role: 'anon' });
const SERVICE = jwt({ iss: 'supabase', role: 'service_role' });

test('without any of them the readings are kept in the embedded store', () => {
  expect(parseEnv({}).supabase).toBeNull();
  expect(
    parseEnv({ SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '', SUPABASE_SECRET_KEY: '' }).supabase,
  ).toBeNull();
});

test.each([
  ['a publishable key', { SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE }, PUBLISHABLE, PUBLISHABLE],
  ['the legacy anon key', { SUPABASE_ANON_KEY: ANON }, ANON, ANON],
  [
    'both: the newer one',
    { SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE, SUPABASE_ANON_KEY: ANON },
    PUBLISHABLE,
    PUBLISHABLE,
  ],
  ['a legacy key in the newer one’s place', { SUPABASE_PUBLISHABLE_KEY: ANON }, ANON, ANON],
  ['blanks around it', { SUPABASE_PUBLISHABLE_KEY: ` ${PUBLISHABLE}\n` }, PUBLISHABLE, PUBLISHABLE],
  [
    'a secret key for the server',
    { SUPABASE_ANON_KEY: ANON, SUPABASE_SECRET_KEY: 'sb_secret_x' },
    ANON,
    'sb_secret_x',
  ],
  ['a legacy secret key', { SUPABASE_ANON_KEY: ANON, SUPABASE_SECRET_KEY: SERVICE }, ANON, SERVICE],
])('%s', (_, keys, publicKey, serverKey) => {
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
    'a secret key in the public one’s place',
    { SUPABASE_URL: URL_OF, SUPABASE_PUBLISHABLE_KEY: 'sb_secret_x' },
    /PUBLISHABLE_KEY: is a secret key/,
  ],
  [
    'a service_role JWT as publishable key',
    { SUPABASE_URL: URL_OF, SUPABASE_PUBLISHABLE_KEY: SERVICE },
    /PUBLISHABLE_KEY: is the key of the role service_role/,
  ],
  [
    'a service_role JWT as anon key',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: SERVICE },
    /ANON_KEY: is the key of the role service_role/,
  ],
  [
    'one beside a good one',
    { SUPABASE_URL: URL_OF, SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE, SUPABASE_ANON_KEY: SERVICE },
    /ANON_KEY: is the key of the role service_role/,
  ],
  [
    'a JWT of another role',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: jwt({ role: 'postgres' }) },
    /role postgres/,
  ],
  [
    'a connection string as key',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: 'postgresql://postgres:pw@h/db' },
    /no key/,
  ],
  [
    'a public key in the secret one’s place',
    { SUPABASE_URL: URL_OF, SUPABASE_ANON_KEY: ANON, SUPABASE_SECRET_KEY: ANON },
    /SECRET_KEY: is a public key/,
  ],
  [
    'an address that is none',
    { SUPABASE_URL: 'abcd', SUPABASE_ANON_KEY: ANON },
    /SUPABASE_URL: must be an address/,
  ],
  [
    'a database’s address',
    { SUPABASE_URL: 'postgresql://h/db', SUPABASE_ANON_KEY: ANON },
    /SUPABASE_URL: must be an address/,
  ],
  [
    'a password in the address',
    { SUPABASE_URL: 'https://u:p@h', SUPABASE_ANON_KEY: ANON },
    /must not hold a password/,
  ],
  [
    'the address of the API',
    { SUPABASE_URL: `${URL_OF}/rest/v1/`, SUPABASE_ANON_KEY: ANON },
    /address alone/,
  ],
])('%s stops at boot, and it is said why', (_, env, reason) => {
  expect(() => parseEnv(env)).toThrow(reason);
});

test('no message repeats a key', () => {
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

test('a page may connect to exactly its project’s https: and wss: origins', () => {
  expect(feedOrigins({ kind: 'event-source' })).toEqual([]);
  expect(feedOrigins({ kind: 'supabase', url: URL_OF, key: ANON })).toEqual([
    URL_OF,
    'wss://abcd.supabase.co',
  ]);
  const local = { kind: 'supabase', url: 'http://127.0.0.1:54321/base', key: ANON } as const;
  expect(feedOrigins(local)).toEqual(['http://127.0.0.1:54321', 'ws://127.0.0.1:54321']);
});
