import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import type { ReadingInput } from '../../app/readings/reading';
import type { Source } from '../../app/sources/source';
import { hostOf, listen } from '../support/alerts/receiver';
import { until } from '../support/until';

Object.assign(process.env, { WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });
const { pollDevice } = await import('../../app/sources/poll-device.server');
const { AIRGRADIENT_FORMAT } = await import('../../app/sources/polled-formats.server');
const { StoreUnavailableError } = await import('../../app/store/reading-store');

/** The answer of an AirGradient ONE: docs/local-server.md of airgradienthq/arduino. */
const MEASURES = {
  ...{ wifi: -46, serialno: 'ecda3b1eaaaf', rco2: 447, pm01: 3, pm02: 7, pm10: 8, pm003Count: 442 },
  ...{ atmp: 25.87, atmpCompensated: 24.47, rhum: 43, rhumCompensated: 49, tvocIndex: 100, tvocRaw: 33051 },
  ...{ noxIndex: 1, noxRaw: 16307, boot: 6, bootCount: 6, ledMode: 'pm', firmware: '3.1.3', model: 'I-9PSL' },
};
const EVERY_MS = 20;
/** The timeout is long enough for a busy machine. */
const TIMEOUT_MS = 60_000;

let monitor: Server;
let answer: RequestListener;
let polls: string[];
let readings: ReadingInput[];
let isStoreAway: boolean;
let source: Source | undefined;
const lines = () =>
  print.mock.calls.map(([line]) => String(line).replace(/^\S+ \S+ (AirGradient at )?\S+ /, ''));
let print: MockInstance<typeof console.log>;

const store = {
  async insert(reading: ReadingInput) {
    if (isStoreAway) throw new StoreUnavailableError('The disk is full.');
    readings.push(reading);
    const { created_at = '2026-01-02T10:00:00.000Z', ...others } = reading;
    return { outcome: 'stored' as const, reading: { id: readings.length, created_at, ...others } };
  },
};
const send =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };

beforeEach(async () => {
  [polls, readings, isStoreAway, answer] = [[], [], false, send(MEASURES)];
  print = vi.spyOn(console, 'log').mockImplementation(() => {});
  monitor = createServer((request, response) => {
    polls.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await listen(monitor);
});

afterEach(async () => {
  await source?.stop();
  print.mockRestore();
  monitor.closeAllConnections();
  await new Promise((resolve) => monitor.close(resolve));
});

const start = (sensor?: string, timeoutMs = TIMEOUT_MS) => {
  const url = `http://${hostOf(monitor)}/measures/current`;
  const device = { url, everyMs: EVERY_MS, format: AIRGRADIENT_FORMAT, ...(sensor && { sensor }) };
  source = pollDevice(device, store, { timeoutMs });
};
/** Polls the address of a setting, without a pause of a second or more. */
const poll = (path: string, options?: Parameters<typeof pollDevice>[2]) => {
  const [address] = parseEnv({ POLL_URLS: `http://${hostOf(monitor)}${path}` }).POLL_URLS;
  source = pollDevice({ ...(address as NonNullable<typeof address>), everyMs: EVERY_MS }, store, options);
};
const polled = async (count: number) => {
  const before = polls.length;
  await until(() => polls.length > before + count);
};

test('stores the values of each poll, named by the serial number', async () => {
  start();
  await until(() => readings.length > 2);
  expect(readings[0]).toEqual({
    ...{ co2: 447, voc: null, voc_index: 100, nox_index: 1, pm1: 3, pm25: 7, pm10: 8 },
    ...{ temperature: 24.47, humidity: 49, sensor: 'ecda3b1eaaaf' },
  });
  expect(polls[0]).toBe('GET /measures/current');
  expect(lines()).toEqual(['answers']);
});

test('the setting can name the sensor', async () => {
  start('Kitchen');
  await until(() => readings.length > 0);
  expect(readings[0]).toMatchObject({ co2: 447, voc: null, sensor: 'Kitchen' });
});

test.each<[string, RequestListener, RegExp]>([
  [
    'no value',
    send({ wifi: -46, serialno: 'ecda3b1eaaaf' }),
    /^rco2 is missing, and so is every other value/,
  ],
  ['CO2 that is not a number', send({ ...MEASURES, rco2: 'high' }), /^co2 must be a number/],
  ['another status', send('Not found', 404), /^answered with 404 instead of its values\./],
  ['something other than JSON', (_, response) => response.end('<html>'), /^sent something other than JSON\./],
  ['something other than an object', send([1]), /^rco2 is missing, and so is every other value/],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end(),
    /^answered with 302 instead/,
  ],
  ['far too much data', send('x'.repeat(100_000)), /^sent more than 64 KiB\./],
  [
    'an endless answer',
    (_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    },
    /^has not answered within 0\.5 s\./,
  ],
  ['nothing', () => {}, /^has not answered within 0\.5 s\./],
  ['nothing and closes the connection', (request) => request.socket.destroy(), /^can't be reached: ./],
])('logs a monitor that sends %s once, and again when it answers', async (_, fault, line) => {
  answer = fault;
  start(undefined, line.source.includes('has not answered') ? 500 : undefined);
  await polled(2);
  expect(readings).toEqual([]);
  expect(lines()).toEqual([expect.stringMatching(line)]);
  expect(polls.filter((request) => !request.endsWith('/measures/current'))).toEqual([]);
  answer = send(MEASURES);
  await until(() => readings.length > 0);
  await until(() => lines().length === 2);
  expect(lines()[1]).toBe('answers again');
});

test('logs an unavailable store once, and stores a later reading', async () => {
  isStoreAway = true;
  start();
  await polled(2);
  expect(lines()).toEqual(['The disk is full. airboard retries every 0.02 s']);
  isStoreAway = false;
  await until(() => readings.length > 0);
});

test('stopping aborts a poll', async () => {
  answer = () => {};
  start();
  await until(() => polls.length > 0);
  await source?.stop();
  expect(lines()).toEqual([]);
});

/** An Awair Element's answer at `/air-data/latest`. */
const AWAIR = {
  ...{ timestamp: '2023-07-28T18:16:36.387Z', score: 77, dew_point: 18.89, temp: 24.76, humid: 69.9 },
  ...{ abs_humid: 15.84, co2: 673, co2_est: 796, co2_est_baseline: 36921, voc: 513, voc_baseline: 38385 },
  ...{ voc_h2_raw: 26, voc_ethanol_raw: 36, pm25: 13, pm10_est: 14 },
};

/** A PurpleAir's answer at `/json`, firmware 7.04. */
const PURPLEAIR = {
  ...{ SensorId: '5c:cf:7f:5c:a4:24', DateTime: '2025/05/08T20:27:22z', Geo: 'PurpleAir-a424', Id: 47756 },
  ...{ place: 'outside', version: '7.04', uptime: 469314, current_temp_f: 64, current_humidity: 39 },
  ...{ current_dewpoint_f: 38, pressure: 1018.62, current_temp_f_680: 64, gas_680: 79.36, 'pm2.5_aqi': 33 },
  ...{ pm1_0_cf_1: 6, pm2_5_cf_1: 8, pm10_0_cf_1: 11, pm1_0_atm: 6, pm2_5_atm: 8, pm10_0_atm: 11 },
  ...{ p_2_5_um: 7, pm2_5_cf_1_b: 11, pm2_5_atm_b: 11, pm10_0_atm_b: 11, p25aqic: 'rgb(73,236,0)' },
};

test('Awair: takes measured values, not estimates, and names the sensor by its host', async () => {
  answer = send(AWAIR);
  poll('/air-data/latest');
  await until(() => readings.length > 0);
  expect(readings[0]).toEqual({
    ...{ co2: 673, voc: 513, pm25: 13, temperature: 24.76, humidity: 69.9, sensor: '127.0.0.1' },
  });
  expect(polls[0]).toBe('GET /air-data/latest');
  expect(lines()).toEqual(['answers, read as Awair']);
});

test('Awair: stores an answer with the same time once, and says so if it lasts', async () => {
  answer = send(AWAIR);
  poll('/air-data/latest#sensor=Living+Room', { stuckMs: 100 });
  await until(() => lines().length > 1);
  expect(readings).toMatchObject([{ sensor: 'Living Room' }]);
  expect(lines()[1]).toMatch(/^repeats its values, with the same time\./);
  answer = send({ ...AWAIR, timestamp: '2023-07-28T18:21:36.387Z' });
  await until(() => readings.length > 1);
  await until(() => lines()[2] === 'answers again');
});

test('PurpleAir: converts °F, and takes the mean of its two counters', async () => {
  answer = send(PURPLEAIR);
  poll('/json');
  await until(() => readings.length > 0);
  expect(readings[0]).toEqual({
    ...{ co2: null, voc: null, pm1: 6, pm25: 9.5, pm10: 11, temperature: 17.777778, humidity: 39 },
    ...{ pressure: 1018.62, sensor: 'PurpleAir-a424' },
  });
  expect(lines()).toEqual(['answers, read as PurpleAir']);
});

test('PurpleAir: takes one counter, and none of two that disagree', async () => {
  const { pm2_5_atm_b, pm10_0_atm_b, ...indoors } = PURPLEAIR;
  answer = send(indoors);
  poll('/json');
  await until(() => readings.length > 0);
  expect(readings[0]).toMatchObject({ pm25: 8, pm10: 11 });
  answer = send({ ...PURPLEAIR, pm2_5_atm_b: 180 });
  await until(() => lines().length > 1);
  expect(lines()[1]).toMatch(/^answers, but its two counters don't agree, so pm25 isn't taken/);
  expect(readings.at(-1)).not.toHaveProperty('pm25');
  expect(readings.at(-1)).toMatchObject({ pm10: 11 });
  answer = send(PURPLEAIR);
  await until(() => lines()[2] === 'answers with all values');
});

const STATE = { data: { co2: '612', temp: 68, list: [{ value: 41 }], 'pm2.5': 7, off: 'unavailable' } };

test('any other: reads the paths of the setting, with units, positions and names with dots', async () => {
  answer = send(STATE);
  poll(
    '/state?key=x#co2=data.co2&temperature_f=data.temp&humidity=data.list[0].value&pm25=data.pm2.5&voc=data.off&sensor=A%26B',
  );
  await until(() => readings.length > 0);
  expect(readings[0]).toEqual({
    ...{ co2: 612, voc: null, temperature: 20, humidity: 41, pm25: 7, sensor: 'A&B' },
  });
  expect(polls[0]).toBe('GET /state?key=x');
  expect(lines()).toEqual(['answers']);
  expect(print.mock.calls.join()).not.toContain('key=x');
});

test.each([
  ['co2=data.co3', STATE, '"data.co3" is missing'],
  ['co2=data', STATE, '"data" isn\'t a number'],
  ['co2=data.off', STATE, 'has no value'],
  [
    'temperature=data.temp',
    STATE,
    '"data.temp" may be in °F: write temperature_f=data.temp, or temperature_c=data.temp if it is in °C',
  ],
  ['pressure=p', { p: 101_325 }, '"p" may be in Pa: write pressure_pa=p, or pressure_hpa=p if it is in hPa'],
  ['radon=r', { r: 60 }, '"r" may be in pCi/L: write radon_pcil=r, or radon_bqm3=r if it is in Bq/m³'],
])('says once why %s is not taken', async (map, sent, reason) => {
  answer = send(sent);
  poll(`/#${map}`);
  await polled(2);
  expect(lines()).toEqual([`${reason}. airboard retries every 0.02 s`]);
  expect(readings).toEqual([]);
});

test('stores the other values if one is not taken, and says it once for each change', async () => {
  answer = send({ a: 612, b: 68 });
  poll('/#co2=a&temperature_c=b&humidity=c');
  await until(() => readings.length > 1);
  expect(readings[0]).toMatchObject({ co2: 612, temperature: 68 });
  expect(lines()).toEqual(['answers, but "c" is missing']);
  answer = send({ a: 612, c: 40 });
  await until(() => lines().length > 1);
  expect(lines()[1]).toBe('answers, but "b" is missing');
});

test.each([
  [
    'names of metrics',
    {
      wifi: -46,
      a: { co2: 612, temp_f: 68, tvoc: 3, no2: 9, list: [{ humidity: '41' }] },
      pressure: 101_325,
    },
    /likely #pressure_pa=pressure&co2=a\.co2&temperature_f=a\.temp_f&humidity=a\.list\.0\.humidity\. /,
  ],
  ['other numbers', { a: { b: 1, c: 'x' }, d: 2 }, /such as #co2=data\.co2.*Its numbers are d, a\.b\./],
  ['no numbers', ['x'], /It has no numbers\./],
])('an unknown answer with %s is refused once, with what to write', async (_, sent, advice) => {
  answer = send(sent);
  poll('/state');
  await polled(2);
  expect(lines()).toEqual([expect.stringMatching(/^sends a format that airboard doesn't know/)]);
  expect(lines()[0]).toMatch(advice);
  expect(readings).toEqual([]);
});

test('sends the login of an address as a header, and does not log it', async () => {
  let login: string | undefined;
  answer = (request, response) => {
    login = request.headers.authorization;
    response.end(JSON.stringify(AWAIR));
  };
  const [address] = parseEnv({
    POLL_URLS: `http://ann:p%40ss@${hostOf(monitor)}/api/mVRzLLpFWqOQkGmt4sCA/sensors`,
  }).POLL_URLS;
  source = pollDevice(address as NonNullable<typeof address>, store);
  await until(() => readings.length > 0);
  expect(login).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
  expect(print.mock.calls.join()).not.toMatch(/ann|ss@|mVRz/);
});

test('asks a host for one answer at a time', async () => {
  let open = 0;
  let most = 0;
  answer = (_, response) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      response.end(JSON.stringify(STATE));
    });
  };
  const addresses = ['A', 'B', 'C'].map((name) => `http://${hostOf(monitor)}/#co2=data.co2&sensor=${name}`);
  const sources = parseEnv({ POLL_URLS: addresses.join(' ') }).POLL_URLS.map((each) =>
    pollDevice({ ...each, everyMs: 1 }, store),
  );
  await until(() => readings.length > 20);
  await Promise.all(sources.map((each) => each.stop()));
  expect(most).toBe(1);
  expect(new Set(readings.map(({ sensor }) => sensor))).toEqual(new Set(['A', 'B', 'C']));
});
