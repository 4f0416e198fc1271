import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isInstalled, recipesBelow, run, runPython, runSketch } from '../support/devices/recipes';
import { readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

const DEVICES = 'docs/devices.md';
const hasCompiler = isInstalled('g++', '--version');
const hasPython = isInstalled('python3', '--version');
if (!hasCompiler) console.warn('g++ is not installed: the Arduino sketches are left out.');
if (!hasPython) console.warn('python3 is not installed: the recipes in Python are left out.');

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const recipes = (heading: string) => recipesBelow(DEVICES, heading, server.url);
/** Returns the readings that have been stored since `before`, the id of the last one then. */
const storedSince = (before: number) => readAll(server.url, `?after=${before}`);
const lastId = async () => Math.max(0, ...(await readAll(server.url)).map(({ id }) => id));
const valuesSince = async (before: number) =>
  (await storedSince(before)).map(({ sensor = '', co2, voc }) => [sensor, co2, voc]);

/** Sends a request as a device would, and expects 201. */
async function send(address: string, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(address, { method: 'POST', body, headers });
  expect([answer.status, answer.status === 201 ? '' : await answer.text()]).toEqual([201, '']);
}

test('the shell loop posts', async () => {
  const before = await lastId();
  const [loop = ''] = recipes('A shell');
  // Two rounds without a pause.
  const shell =
    'n=0; sleep() { n=$((n + 1)); [ $n -le 2 ]; }; read_co2() { echo 415; }; read_voc() { echo 120.5; }\n';
  await run(['bash', '-c', shell + loop]);
  expect(await valuesSince(before)).toEqual([
    ['', 415, 120.5],
    ['', 415, 120.5],
  ]);
});

test.skipIf(!hasPython)('the Python program posts, and posts what it kept', async () => {
  const before = await lastId();
  const [program = ''] = recipes('Python');
  const quick = program
    .replace('EVERY_SECONDS = 15', 'EVERY_SECONDS = 0.05')
    .replace('24 * 3600 // EVERY_SECONDS', '1000');
  // The first attempts find no server.
  const late = quick.replace(
    'def post(readings):',
    'failures = [1, 2, 3]\ndef post(readings):\n    if failures:\n        failures.pop()\n        return False',
  );
  expect(late.match(/failures/g)).toHaveLength(3);
  await runPython(late, async () => (await storedSince(before)).length > 5);
  const readings = await storedSince(before);
  expect(readings.every(({ sensor, co2, voc }) => sensor === 'Bedroom' && co2 === 415 && voc === 120)).toBe(
    true,
  );
  const times = readings.map(({ created_at }) => created_at);
  expect(times).toEqual([...new Set(times)].sort());
});

test.skipIf(!hasCompiler)('the short Arduino sketch posts', async () => {
  const before = await lastId();
  await runSketch(recipes('Arduino')[0] as string, { onlineAfterS: 1, forS: 20 });
  expect(await valuesSince(before)).toEqual([
    ['', 415, 120],
    ['', 415, 120],
  ]);
});

test.skipIf(!hasCompiler)(
  'the Arduino sketch keeps readings until it is online, and posts them with their times',
  async () => {
    const before = await lastId();
    const [sketch = ''] = recipes('With readings kept and posted later');
    // An ESP32's linker has 120 kB for all variables, Wi-Fi's included. This machine's `time_t` is as long as the board's.
    const size = 'static_assert(sizeof(kept) <= 64000, "too large for an ESP32");';
    await runSketch(`${sketch}\n${size}\n`, { onlineAfterS: 40, forS: 62 });
    const readings = await storedSince(before);
    expect(readings.map(({ sensor, co2, voc }) => [sensor, co2, voc])).toEqual(
      Array(5).fill(['Bedroom', 415, 120]),
    );
    const times = readings.map(({ created_at }) => Date.parse(created_at) / 1000);
    for (const [i, time] of times.slice(1).entries()) {
      expect(Math.abs(time - (times[i] as number) - 15)).toBeLessThanOrEqual(1);
    }
  },
);

test('what ESPHome sends is stored: a map of texts, or an object with null', async () => {
  const before = await lastId();
  const [configuration = '', body = ''] = recipes('ESPHome');
  const lambda = { tag: '!lambda', resolve: (code: string) => code };
  const config = parse(configuration, { customTags: [lambda] });
  // Without it, ESPHome refuses the configuration of an ESP8266.
  expect(config.http_request.verify_ssl).toBe(false);
  // The watchdog restarts a board that waits for 5 s.
  expect(config.http_request).not.toHaveProperty('timeout');
  const { url, json } = config.interval[0].then[0]['http_request.post'];
  const ids = config.sensor.flatMap((sensor: { eco2: { id: string }; tvoc: { id: string } }) => [
    sensor.eco2.id,
    sensor.tvoc.id,
  ]);
  const state: Record<string, number> = { co2: 415.25, voc: 120 };
  expect(ids).toEqual(Object.keys(state));
  // C++ writes a float with six decimals.
  const text = (code: string) =>
    code.replace(/^return to_string\(id\((\w+)\)\.state\);$/, (_, id) => (state[id] as number).toFixed(6));
  const sent = Object.fromEntries(Object.entries(json).map(([name, code]) => [name, text(code as string)]));
  expect(sent).toEqual({ sensor: 'Bedroom', co2: '415.250000', voc: '120.000000' });
  await send(url, JSON.stringify(sent), { 'Content-Type': 'application/json' });
  const members = [...body.matchAll(/root\["(\w+)"\] = (.+);/g)].map(([, name, value = '']) => {
    const id = /^id\((\w+)\)\.state$/.exec(value)?.[1];
    return [name, id ? state[id] : JSON.parse(value.replace('nullptr', 'null'))];
  });
  expect(members).toHaveLength(3);
  await send(url, JSON.stringify(Object.fromEntries(members)));
  expect(await valuesSince(before)).toEqual([
    ['Bedroom', 415.25, 120],
    ['Bedroom', 415.25, null],
  ]);
});

test('what the rule of Tasmota sends is stored', async () => {
  const before = await lastId();
  const [rule = ''] = recipes('Tasmota');
  const [, url = '', headers = '', body = ''] = /WebQuery (\S+) POST \[(.*?)\](.*) ENDON$/m.exec(rule) ?? [];
  const pairs = headers.split('|').map((header) => header.split(':') as [string, string]);
  await send(url, body.replace('%value%', '533'), Object.fromEntries(pairs));
  expect(await valuesSince(before)).toEqual([['Bedroom', 533, null]]);
});

test.skipIf(!hasPython)('the MicroPython program posts', async () => {
  const before = await lastId();
  const [program = ''] = recipes('MicroPython');
  await runPython(
    program.replace('time.sleep(15)', 'time.sleep(1)'),
    async () => (await storedSince(before)).length > 1,
    {
      network:
        'STA_IF = 0\nclass WLAN:\n    def __init__(self, _): pass\n    def active(self, _): pass\n    def connect(self, *_): pass\n    def isconnected(self): return True\n',
      ntptime: 'def settime(): pass\n',
      requests: [
        'import json as coding, urllib.error, urllib.request',
        'class Answer:',
        '    def __init__(self, status): self.status_code = status',
        '    def close(self): pass',
        'def post(url, json, headers, timeout):',
        '    request = urllib.request.Request(url, coding.dumps(json).encode(), headers)',
        '    try:',
        '        with urllib.request.urlopen(request, timeout=timeout) as answer: return Answer(answer.status)',
        '    except urllib.error.HTTPError as error: return Answer(error.code)',
      ].join('\n'),
    },
  );
  const readings = await storedSince(before);
  expect(readings.every(({ sensor, co2, voc }) => sensor === 'Bedroom' && co2 === 415 && voc === 120)).toBe(
    true,
  );
});

test('the flow of Node-RED posts, and shows what is refused or fails', async () => {
  const before = await lastId();
  const [reading, request, refused, failed, shown] = JSON.parse(recipes('Node-RED')[0] as string);
  expect(reading.wires).toEqual([[request.id]]);
  // A 400 is no error for the request node, which passes it on.
  expect(request.wires).toEqual([[refused.id]]);
  expect([refused.property, refused.rules]).toEqual(['statusCode', [{ t: 'gte', v: '400', vt: 'num' }]]);
  expect([failed.type, failed.scope]).toEqual(['catch', [reading.id, request.id]]);
  expect([refused.wires, failed.wires]).toEqual([[[shown.id]], [[shown.id]]]);
  expect([shown.type, shown.active]).toEqual(['debug', true]);
  // Node-RED draws nodes without a place on top of each other.
  expect(request.x - reading.x).toBeGreaterThanOrEqual(200);
  for (const payload of [{ co2: 415, voc: 120 }, { co2: 416 }]) {
    const { payload: sent } = new Function('msg', reading.func)({ payload });
    await send(request.url, JSON.stringify(sent), { 'Content-Type': 'application/json' });
    // The function takes the time in milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(await valuesSince(before)).toEqual([
    ['Bedroom', 415, 120],
    ['Bedroom', 416, null],
  ]);
});

test('what airRohr and Enviro send is stored as the document shows it', async () => {
  const before = await lastId();
  await send(`${server.url}/api/airrohr`, recipes('airRohr')[0] as string);
  await send(`${server.url}/api/enviro`, recipes('Pimoroni Enviro')[0] as string);
  expect(await valuesSince(before)).toEqual([
    ['10677322', 512, null],
    ['gecko-tank-7', 862, null],
  ]);
});

test('the settings for AirGradient and MQTT are valid, and so is what is published', async () => {
  const { parseEnv } = await import('../../app/config/env.server');
  const setting = (heading: string) => {
    const [, name = '', value = ''] = /^(\w+)=(.+)$/m.exec(recipes(heading)[0] as string) ?? [];
    return parseEnv({ [name]: value });
  };
  expect(setting('AirGradient').AIRGRADIENT).toHaveLength(2);
  expect(setting('MQTT').mqtt).toMatchObject({ host: '192.168.1.10', topic: 'airboard/+/reading' });
  const [, publish = '', rule = ''] = recipes('MQTT');
  const messages = [
    /-m '(.*)'$/m.exec(publish)?.[1],
    /Publish airboard\/Bedroom\/reading (.*) ENDON/.exec(rule)?.[1],
  ];
  for (const message of messages)
    await send(`${server.url}/api/data`, (message as string).replace('%value%', '533'));
});
