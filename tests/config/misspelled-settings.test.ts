import { expect, test } from 'vitest';
import { SETTINGS } from '../../app/config/env.server';
import { misspelledSettings } from '../../app/config/misspelled-settings.server';

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
])('takes %s for a misspelled %s', (name, meant) => {
  expect(misspelledSettings([name])).toEqual([{ name, meant }]);
});

test('takes settings and unrelated variables for what they are', () => {
  const unrelated =
    'PATH HOME USER SHELL TERM LANG TZ PWD HOSTNAME HOSTTYPE LOGNAME EDITOR NODE_ENV NODE_OPTIONS NODE_PATH ' +
    'NOTIFY_SOCKET INVOCATION_ID STATE_DIRECTORY DATABASE_URL DB_PATH npm_config_port SUPABASE_ACCESS_TOKEN ' +
    'SUPABASE_DB_URL AIRBOARD_PORT KUBERNETES_PORT CI COLOR DISPLAY SSH_AUTH_SOCK HTTP_PROXY NO_PROXY';
  expect(misspelledSettings([...SETTINGS, ...unrelated.split(' ')])).toEqual([]);
});
