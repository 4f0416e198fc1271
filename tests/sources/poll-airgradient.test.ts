import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import type { ReadingInput } from '../../app/readings/reading';
import type { Source } from '../../app/sources/source';
import { hostOf, listen } from '../support/alerts/receiver';
import { until } from '../support/until';

Object.assign(process.env, { WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });
const { pollAirGradient } = await import('../../app/sources/poll-airgradient.server');
const { StoreUnavailableError } = await import('../../app/store/reading-store');

/** The answer of an AirGradient ONE: docs/local-server.md of airgradienthq/arduino. */
const MEASURES = {
  ...{ wifi: -46, serialno: 'ecda3b1eaaaf', rco2: 447, pm01: 3, pm02: 7, pm10: 8, pm003Count: 442 },
  ...{ atmp: 25.87, atmpCompensated: 24.47, rhum: 43, rhumCompensated: 49, tvocIndex: 100, tvocRaw: 33051 },
  ...{ noxIndex: 1, noxRaw: 16307, boot: 6, bootCount: 6, ledMode: 'pm', firmware: '3.1.3', model: 'I-9PSL' },
};
/** The timeout is long enough for a busy machine. */
const PACE = { everyMs: 20, timeoutMs: 60_000 };

let monitor: Server;
let answer: RequestListener;
let polls: string[];
let readings: ReadingInput[];
let isStoreAway: boolean;
let source: Source | undefined;
const lines = () =>
  print.mock.calls.map(([line]) => String(line).replace(/^\S+ \S+ AirGradient at \S+ /, ''));
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

const start = (sensor?: string, timeoutMs = PACE.timeoutMs) => {
  source = pollAirGradient({ host: hostOf(monitor), sensor }, store, { ...PACE, timeoutMs });
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
  ['far too much data', send('x'.repeat(100_000)), /^sent more than 16 KiB\./],
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
  expect(lines()).toEqual(['The disk is full. airboard retries once a minute']);
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
