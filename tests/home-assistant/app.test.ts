import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseEnv } from '../../app/config/env.server';
import { settingsOf } from '../../home-assistant-app/settings.js';

const config = parse(readFileSync('home-assistant-app/config.yaml', 'utf8'));

const BROKER = { host: 'core-mosquitto', port: 1883, ssl: false, username: 'addons', password: 'p@ss/w:rd' };

test('has the version of airboard, and defaults for its options', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(config.version).toBe(version);
  const needed = Object.entries(config.schema).filter(([, type]) => !String(type).endsWith('?'));
  expect(Object.keys(config.options).sort()).toEqual(needed.map(([name]) => name).sort());
});

test('the options and the broker of Home Assistant are valid settings', () => {
  const { mqtt, WRITE_KEY, READ_KEY, RANDOM_POSTS } = parseEnv(
    settingsOf(
      { ...config.options, write_key: 'correct-horse-battery', read_key: 'enough-staples-12' },
      BROKER,
    ),
  );
  expect(mqtt).toMatchObject({
    ...{ protocol: 'mqtt', host: 'core-mosquitto', port: 1883, username: 'addons', password: 'p@ss/w:rd' },
    homeAssistant: 'homeassistant',
  });
  expect([WRITE_KEY, READ_KEY, RANDOM_POSTS]).toEqual([
    'correct-horse-battery',
    'enough-staples-12',
    'false',
  ]);
});

test('without a broker, nothing is announced; own settings win', () => {
  expect(parseEnv(settingsOf(config.options, null)).mqtt).toBeNull();
  const settings = ['MQTT_URL=mqtts://other:8883', 'NOTIFY_URLS=ntfy://ntfy.sh/my-topic?a=b'];
  const { mqtt, alerts } = parseEnv(settingsOf({ ...config.options, settings }, BROKER));
  expect(mqtt).toMatchObject({ protocol: 'mqtts', host: 'other' });
  expect(alerts.urls).toHaveLength(1);
  const line = new RegExp(/^match\((.*)\)$/.exec(config.schema.settings[0])?.[1] ?? '');
  expect(settings.every((setting) => line.test(setting))).toBe(true);
});
