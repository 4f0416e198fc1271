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

test('expands a ~ at the start of DATABASE_PATH to the home folder', () => {
  const path = (DATABASE_PATH: string) => parseEnv({ DATABASE_PATH }).DATABASE_PATH;
  expect(path('~/air/readings.db')).toBe(`${homedir()}/air/readings.db`);
  expect(['~air.db', 'data/~/air.db', '/~/air.db'].map(path)).toEqual([
    '~air.db',
    'data/~/air.db',
    '/~/air.db',
  ]);
});

test('the default thresholds are 1000 and 2000 PPM, 400 and 800 PPB', () => {
  expect(parseEnv({}).thresholds).toMatchObject({
    co2: { good: 1000, moderate: 2000 },
    voc: { good: 400, moderate: 800 },
  });
});

test('reads thresholds from the settings', () => {
  const thresholds = { CO2_GOOD: '800', CO2_MODERATE: '1400.5', VOC_GOOD: '0.5', PM25_GOOD: '5' };
  expect(parseEnv(thresholds).thresholds).toMatchObject({
    co2: { good: 800, moderate: 1400.5 },
    voc: { good: 0.5, moderate: 800 },
    pm25: { good: 5, moderate: 35 },
  });
});

test.each(['', '/air', '/home/air-board'])('reads BASE_PATH=%s', (BASE_PATH) => {
  expect(parseEnv({ BASE_PATH }).BASE_PATH).toBe(BASE_PATH);
});

test.each(['/', 'air', '/air/', '//air', '/a b', '/..', '/air?x', '/%61ir'])(
  'rejects BASE_PATH=%s',
  (BASE_PATH) => {
    expect(() => parseEnv({ BASE_PATH })).toThrow('BASE_PATH: must be a path like /air');
  },
);

test('links in notifications lead below BASE_PATH', () => {
  const { alerts } = parseEnv({ PUBLIC_URL: 'https://home.example.org', BASE_PATH: '/air' });
  expect(alerts.publicUrl).toBe('https://home.example.org/air');
});

test('a metric without levels has no thresholds', () => {
  expect(parseEnv({ TEMPERATURE_GOOD: 'x' }).thresholds).not.toHaveProperty('temperature');
});

test.each(['0', '-5', 'low', '1e3', ' 900', '1000000000000'])('rejects "%s" as a threshold', (VOC_GOOD) => {
  expect(() => parseEnv({ VOC_GOOD })).toThrow(/VOC_GOOD: must be/);
});

test.each([
  [{ CO2_GOOD: '2000' }, 'CO2_MODERATE: must be above CO2_GOOD, which is 2000'],
  [{ CO2_MODERATE: '900' }, 'CO2_MODERATE: must be above CO2_GOOD, which is 1000'],
  [{ VOC_GOOD: '900' }, 'VOC_MODERATE: must be above VOC_GOOD, which is 900'],
])('rejects thresholds in the wrong order: %o', (thresholds, message) => {
  expect(() => parseEnv(thresholds)).toThrow(message);
});

test.each([
  ['true', 'true'],
  ['false', 'false'],
  [undefined, 'false'],
  ['', 'false'],
  ['https://ha.example:8123', ['https://ha.example:8123']],
  [
    ' http://homeassistant.local:8123, https://xn--kche-0ra.example http://192.168.1.10:8123,',
    ['http://homeassistant.local:8123', 'https://xn--kche-0ra.example', 'http://192.168.1.10:8123'],
  ],
])('reads ALLOW_EMBED=%s', (ALLOW_EMBED, expected) => {
  expect(parseEnv({ ALLOW_EMBED }).ALLOW_EMBED).toEqual(expected);
});

test.each([
  ['ha.example:8123', 'Each begins with https:// or http://'],
  ['TRUE', 'Each begins with'],
  ['*', 'Each begins with'],
  ["'self'", 'Each begins with'],
  ['javascript:alert(1)', 'Each begins with'],
  ['data:text/html,x', 'Each begins with'],
  ['wss://ha.example', 'Each begins with'],
  ['file:///etc', 'Each begins with'],
  ['https://', 'Each begins with'],
  ['true,https://ha.example', 'Each begins with'],
  ['https://*', 'no * for several'],
  ['https://*.example', 'no * for several'],
  ['https://ha.example;script-src', 'A host has letters'],
  ['http://home_assistant:8123', 'A host has letters'],
  ['http://[fd00::10]:8123', 'Write a host name for an IPv6 address'],
  ['https://ha.example:8123/', 'Write https://ha.example:8123'],
  ['https://ha.example/lovelace?kiosk#air', 'Write https://ha.example'],
  ['https://me:secret@ha.example', 'Write https://ha.example'],
  ['https://HA.example', 'Write https://ha.example'],
  ['https://küche.example', 'Write https://xn--kche-0ra.example'],
  ['https://ha.example:443', 'Write https://ha.example'],
  ['https://good.example, bad.example', 'Each begins with'],
])('rejects ALLOW_EMBED=%s, and says how to write it', (ALLOW_EMBED, advice) => {
  const wrong = () => parseEnv({ ALLOW_EMBED });
  expect(wrong).toThrow('ALLOW_EMBED: must be true, false, or addresses like https://ha.example:8123');
  expect(wrong).toThrow(advice);
  expect(wrong).not.toThrow('secret');
});
