import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';

test('without the settings, there are no sources', () => {
  expect(parseEnv({})).toMatchObject({ AIRGRADIENT: [], mqtt: null });
});

test('AIRGRADIENT accepts hosts with and without a port or a name', () => {
  const AIRGRADIENT =
    'airgradient_ecda3b1eaaaf.local, Kitchen=192.168.1.30 ,192.168.1.31:8080,A=B = [fe80::1]:80';
  expect(parseEnv({ AIRGRADIENT }).AIRGRADIENT).toEqual([
    { host: 'airgradient_ecda3b1eaaaf.local' },
    { sensor: 'Kitchen', host: '192.168.1.30' },
    { host: '192.168.1.31:8080' },
    { sensor: 'A=B', host: '[fe80::1]:80' },
  ]);
});

test.each([
  ...['http://192.168.1.30', 'host/path', 'a b', 'user@host', 'host:99999', '=192.168.1.30', 'Kitchen='],
  ...['host?x', '192.168.1.30;192.168.1.31', '[x]', 'a,b c'],
])('AIRGRADIENT rejects "%s"', (AIRGRADIENT) => {
  expect(() => parseEnv({ AIRGRADIENT })).toThrow('AIRGRADIENT: must be hosts like');
});

test('AIRGRADIENT rejects a repeated host', () => {
  const parse = () => parseEnv({ AIRGRADIENT: 'Kitchen=board.local, Attic=192.168.1.30, Board.local' });
  expect(parse).toThrow('AIRGRADIENT: names a host twice');
});

test.each([
  ['mqtt://192.168.1.10', { protocol: 'mqtt', host: '192.168.1.10', port: undefined }],
  ['mqtts://broker.example.org:8884/', { protocol: 'mqtts', host: 'broker.example.org', port: 8884 }],
  ['ws://[::1]:9001/mqtt', { protocol: 'ws', host: '::1', port: 9001, path: '/mqtt' }],
  ['wss://broker.example.org', { protocol: 'wss', host: 'broker.example.org', path: '/' }],
  ['mqtt://ann:p%40ss%3A@host', { username: 'ann', password: 'p@ss:' }],
  ['mqtt://host?clientId=air-1', { clientId: 'air-1' }],
])('MQTT_URL accepts %s', (MQTT_URL, expected) => {
  expect(parseEnv({ MQTT_URL }).mqtt).toMatchObject({ topics: ['airboard/+/reading'], ...expected });
});

test.each([
  ...['192.168.1.10', 'http://host', 'mqtt:host', 'mqtt:///topic', 'mqtt://host/topic', 'mqtt://host#x'],
  ...['mqtt://host?qos=1', 'tcp://host', 'mqtt://', 'mqtt://user:se/cret@host', 'mqtt://ho st'],
])('MQTT_URL rejects %s and shows none of it', (MQTT_URL) => {
  const parse = () => parseEnv({ MQTT_URL });
  expect(parse).toThrow('MQTT_URL: must be an address like');
  expect(parse).not.toThrow('cret');
});

test.each([
  ...[
    'airboard/+/reading',
    '+',
    'home/air',
    '+/air',
    'häuser/+',
    'tele/+/SENSOR',
    '+/sensor/+/state',
    'home/+/sensor/+/state',
  ],
  'airboard/+/reading zigbee2mqtt/+',
])('MQTT_TOPIC accepts %s', (MQTT_TOPIC) => {
  expect(parseEnv({ MQTT_URL: 'mqtt://host', MQTT_TOPIC }).mqtt?.topics).toEqual(MQTT_TOPIC.split(' '));
});

test.each([
  'airboard/#',
  '+/+',
  '+/+/+/state',
  'a +/+',
  ' ',
  'air+/reading',
  '$share/a/airboard/+/reading',
  'a\0b',
  'x'.repeat(1025),
])('MQTT_TOPIC rejects %j', (MQTT_TOPIC) => {
  expect(() => parseEnv({ MQTT_TOPIC })).toThrow('MQTT_TOPIC: must be topics like');
});

test.each([
  [{}, null],
  [{ HOME_ASSISTANT: 'false' }, null],
  [{ HOME_ASSISTANT: 'true' }, 'homeassistant'],
  [{ HOME_ASSISTANT: 'true', HOME_ASSISTANT_PREFIX: 'home/ha' }, 'home/ha'],
])('announces to Home Assistant with %j below %j', (env, prefix) => {
  expect(parseEnv({ MQTT_URL: 'mqtt://host', ...env }).mqtt?.homeAssistant).toBe(prefix);
});

test.each(['a b', '+', 'a/#', '/a', 'a/', 'a//b'])(
  'HOME_ASSISTANT_PREFIX rejects %j',
  (HOME_ASSISTANT_PREFIX) => {
    expect(() => parseEnv({ HOME_ASSISTANT_PREFIX })).toThrow('must be a topic like homeassistant');
  },
);

test.each([
  ['', []],
  ['sen54/voc=voc_index', [['sen54/voc', { field: 'voc_index' }]]],
  [
    'sen54/voc=voc_index, Living Room/voc=voc:ppm  attic/temperature=temperature:°F,dust/p2=pm25:mg/m³',
    [
      ['sen54/voc', { field: 'voc_index' }],
      ['Living Room/voc', { field: 'voc', unit: 'ppm' }],
      ['attic/temperature', { field: 'temperature', unit: '°F' }],
      ['dust/p2', { field: 'pm25', unit: 'mg/m³' }],
    ],
  ],
  ['home/bedroom_co2=Bedroom/co2', [['home/bedroom_co2', { field: 'co2', sensor: 'Bedroom' }]]],
])('MQTT_NAMES accepts %j', (MQTT_NAMES, names) => {
  expect([...(parseEnv({ MQTT_URL: 'mqtt://host', MQTT_NAMES }).mqtt?.names ?? [])]).toEqual(names);
});

test.each([
  ...[
    'voc',
    'voc=voc_index',
    'sen54/voc=',
    'sen54/voc=VOC',
    'sen54/voc=tvoc',
    'sen54/voc=voc:µg/m³',
    '/voc=voc',
  ],
  ...[
    'sen54/voc=voc_index:ppb',
    'a/voc=voc a/voc=voc_index',
    'a/voc=voc b',
    'a/t=temperature:X',
    'a/voc=voc; b/voc=voc',
  ],
])('MQTT_NAMES rejects %j', (MQTT_NAMES) => {
  expect(() => parseEnv({ MQTT_NAMES })).toThrow('MQTT_NAMES: must be names like sen54/voc=voc_index');
});
