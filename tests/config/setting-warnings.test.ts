import { afterEach, expect, test, vi } from 'vitest';
import { parseEnv, SETTINGS } from '../../app/config/env.server';
import { misspelledSettings, warningsAbout } from '../../app/config/setting-warnings.server';

const warningsWith = (WRITE_KEY: string) => warningsAbout(parseEnv({ WRITE_KEY })).join('\n');

test.each([
  ['x', '1 character', 'less than a second'],
  ['1234567', '7 characters', '56 minutes'],
  ['sesame', '6 characters', '1 day'],
  ['Ab3', '3 characters', '1 minute'],
  ['sesame12', '8 characters', '30 years'],
  ['Sesame-1', '8 characters', 'more than 1000 years'],
  ['0123456789abcde', '15 characters', 'more than 1000 years'],
])('warns about the WRITE_KEY %s of %s, which takes %s to guess', (key, length, time) => {
  const warnings = warningsWith(key);
  expect(warnings).toContain(`WRITE_KEY has ${length}: trying all such keys takes ${time} at 3000 a second`);
  expect(warnings).toContain('Use 16 random characters or more');
  expect(warnings.includes(key) && key.length > 2).toBe(false);
});

test('warns about a short READ_KEY, and about one with a Supabase project, which pages read themselves', () => {
  const keys = { WRITE_KEY: '0123456789abcdef', READ_KEY: 'sesame' };
  expect(warningsAbout(parseEnv(keys))).toEqual([expect.stringMatching(/^READ_KEY has 6 characters: /)]);
  const SUPABASE_PUBLISHABLE_KEY = 'sb_publishable_x';
  const project = { SUPABASE_URL: 'https://x.supabase.co', SUPABASE_PUBLISHABLE_KEY };
  const hosted = parseEnv({
    ...project,
    SUPABASE_SECRET_KEY: 'sb_secret_x',
    ...keys,
    READ_KEY: keys.WRITE_KEY,
  });
  expect(warningsAbout(hosted)).toEqual([expect.stringMatching(/^READ_KEY guards this server alone: /)]);
});

test('accepts a WRITE_KEY of 16 characters without a warning', () => {
  expect(warningsWith('0123456789abcdef')).toBe('');
});

const WRITE_KEY = '0123456789abcdef';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['https://hooks.slack.com/services/T0/B0/secret', 'For Slack, begin it with slack+https://'],
  ['https://discord.com/api/webhooks/1/secret', 'For Discord, begin it with discord+https://'],
  ['https://discordapp.com/api/webhooks/1/secret', 'For Discord, begin it with discord+https://'],
  ['https://ntfy.sh/secret', 'For ntfy, begin it with ntfys://'],
])('shows the right form of a misspelled address for %s, without its secrets', (NOTIFY_URLS, text) => {
  const [warning, ...others] = warningsAbout(parseEnv({ WRITE_KEY, NOTIFY_URLS }));
  expect(warning).toContain(text);
  expect(warning).not.toContain('secret');
  expect(others).toEqual([]);
});

test('accepts a webhook, and services with their scheme, without a warning', () => {
  const NOTIFY_URLS =
    'https://example.org/hooks slack+https://hooks.slack.com/services/T0 ntfys://ntfy.sh/topic';
  expect(warningsAbout(parseEnv({ WRITE_KEY, NOTIFY_URLS }))).toEqual([]);
});

test('warns about HOME_ASSISTANT without a broker', () => {
  vi.stubEnv('HOME_ASSISTANT', 'true');
  expect(warningsAbout(parseEnv({ WRITE_KEY, HOME_ASSISTANT: 'true' }))).toEqual([
    'HOME_ASSISTANT has no effect: set MQTT_URL to the broker that Home Assistant uses',
  ]);
  expect(warningsAbout(parseEnv({ WRITE_KEY, HOME_ASSISTANT: 'true', MQTT_URL: 'mqtt://host' }))).toEqual([]);
});

test('warns about settings that only addresses need without NOTIFY_URLS', () => {
  vi.stubEnv('NOTIFY_AFTER', '1min');
  expect(warningsAbout(parseEnv({ WRITE_KEY }))).toEqual([]);
  vi.stubEnv('NOTIFY_QUIET', '22:00-07:00');
  vi.stubEnv('NOTIFY_AGAIN', '1h');
  expect(warningsAbout(parseEnv({ WRITE_KEY }))).toEqual([
    'NOTIFY_QUIET, NOTIFY_AGAIN have no effect: nobody is notified without NOTIFY_URLS',
  ]);
  expect(warningsAbout(parseEnv({ WRITE_KEY, NOTIFY_URLS: 'https://example.org/' }))).toEqual([]);
});

test.each([
  ['WRITEKEY', 'WRITE_KEY'],
  ['write_key', 'WRITE_KEY'],
  ['WIRTE_KEY', 'WRITE_KEY'],
  ['WRITE_KEYS', 'WRITE_KEY'],
  ['DATABSE_PATH', 'DATABASE_PATH'],
  ['POST_PER_MINUTE', 'POSTS_PER_MINUTE'],
  ['ALLOWED_ORIGIN', 'ALLOWED_ORIGINS'],
  ['SUPABASE_PUBLISHEABLE_KEY', 'SUPABASE_PUBLISHABLE_KEY'],
  ['PROT', 'PORT'],
  ['Host', 'HOST'],
])('treats %s as a misspelled %s', (name, meant) => {
  expect(misspelledSettings([name])).toEqual([{ name, meant }]);
});

test('does not treat settings and unrelated variables as misspelled', () => {
  const unrelated =
    'PATH HOME USER SHELL TERM LANG TZ PWD HOSTNAME HOSTTYPE LOGNAME EDITOR NODE_ENV NODE_OPTIONS NODE_PATH ' +
    'NOTIFY_SOCKET INVOCATION_ID STATE_DIRECTORY DATABASE_URL DB_PATH npm_config_port SUPABASE_ACCESS_TOKEN ' +
    'SUPABASE_DB_URL AIRBOARD_PORT KUBERNETES_PORT CI COLOR DISPLAY SSH_AUTH_SOCK HTTP_PROXY NO_PROXY';
  expect(misspelledSettings([...SETTINGS, ...unrelated.split(' ')])).toEqual([]);
});
