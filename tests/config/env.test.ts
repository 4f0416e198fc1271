import { expect, test } from 'vitest';
import { parseEnv, SETTINGS, StartupError } from '../../app/config/env.server';

test('nothing has to be set', () => {
  expect(parseEnv({})).toMatchObject({ PORT: 3000, DATABASE_PATH: 'data/readings.db' });
});

test('an empty setting is one that is not set', () => {
  const empty = Object.fromEntries(SETTINGS.map((name) => [name, '']));
  expect(parseEnv(empty)).toEqual(parseEnv({}));
});

test.each(['1', '80', '3000', '65535'])('the port %s is one', (PORT) => {
  expect(parseEnv({ PORT }).PORT).toBe(Number(PORT));
});

test.each(['0', '65536', '-1', '3.5', '0x50', 'http', ' 80'])('the port "%s" is none', (PORT) => {
  expect(() => parseEnv({ PORT })).toThrow(/PORT: must be/);
});

test('what is wrong is told in one error, every setting by its name', () => {
  const wrong = () => parseEnv({ PORT: 'x', POSTS_PER_MINUTE: 'many', ALLOWED_ORIGINS: 'example.org' });
  expect(wrong).toThrow(StartupError);
  for (const name of ['PORT', 'POSTS_PER_MINUTE', 'ALLOWED_ORIGINS'])
    expect(wrong).toThrow(`${name}: must be`);
});

test('variables that are no settings of this product are ignored', () => {
  expect(parseEnv({ HOME: '/root', CI: 'true' })).toEqual(parseEnv({}));
});
