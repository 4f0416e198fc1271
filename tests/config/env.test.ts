import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { parseEnv, SETTINGS, StartupError } from '../../app/config/env.server';

test('accepts an empty environment', () => {
  expect(parseEnv({})).toMatchObject({
    PORT: 3000,
    DATABASE_PATH: 'data/readings.db',
    POSTS_PER_MINUTE: 300_000,
  });
});

test('treats an empty setting as not set', () => {
  const empty = Object.fromEntries(SETTINGS.map((name) => [name, '']));
  expect(parseEnv(empty)).toEqual(parseEnv({}));
});

test.each(['1', '80', '3000', '65535'])('accepts the port %s', (PORT) => {
  expect(parseEnv({ PORT }).PORT).toBe(Number(PORT));
});

test.each(['0', '65536', '-1', '3.5', '0x50', 'http', ' 80'])('rejects the port "%s"', (PORT) => {
  expect(() => parseEnv({ PORT })).toThrow(/PORT: must be/);
});

test('names every invalid setting in one error', () => {
  const wrong = () => parseEnv({ PORT: 'x', POSTS_PER_MINUTE: 'many', ALLOWED_ORIGINS: 'example.org' });
  expect(wrong).toThrow(StartupError);
  for (const name of ['PORT', 'POSTS_PER_MINUTE', 'ALLOWED_ORIGINS'])
    expect(wrong).toThrow(`${name}: must be`);
});

test('ignores variables that are not settings', () => {
  expect(parseEnv({ HOME: '/root', CI: 'true' })).toEqual(parseEnv({}));
});

test('takes a ~ at the start of DATABASE_PATH for the home folder', () => {
  const path = (DATABASE_PATH: string) => parseEnv({ DATABASE_PATH }).DATABASE_PATH;
  expect(path('~/air/readings.db')).toBe(`${homedir()}/air/readings.db`);
  expect(['~air.db', 'data/~/air.db', '/~/air.db'].map(path)).toEqual([
    '~air.db',
    'data/~/air.db',
    '/~/air.db',
  ]);
});
