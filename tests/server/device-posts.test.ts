import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOf, listen } from '../support/alerts/receiver';
import {
  AIR_ROHR,
  AIRGRADIENT_ONE,
  airGradientPost,
  airRohrPost,
  ENVIRO_INDOOR,
  enviroPost,
} from '../support/devices/recipes';
import { checkProblem, expectProblem, readAll } from '../support/server/api';
import { type Answer, RawClient } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { filesBelow } from '../support/sources';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

const KEY = 'correct-horse:battery';
const LOGIN = { user: 'airboard', password: KEY };
const TIME = '2026-01-02T10:00:00Z';

let double: SupabaseDouble;
const monitor = createServer((_, response) =>
  response.end('{"serialno": "ecda3b1eaaaf", "rco2": 447.5, "tvocIndex": 100}'),
);

beforeAll(async () => {
  double = await startSupabaseDouble();
  await listen(monitor);
});
afterAll(async () => {
  monitor.closeAllConnections();
  monitor.close();
  await double.stop();
});

describe.each([
  ['SQLite', () => ({})],
  ['Supabase', () => double.env],
])('on %s', (name, env) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      env: {
        ...{ ...env(), WRITE_KEY: KEY, AIRGRADIENT: `Hall=${hostOf(monitor)},127.0.0.1:1` },
        POLL_URLS: `http://${hostOf(monitor)}/state#co2=rco2&sensor=Polled http://127.0.0.1:1/x?key=secret`,
      },
    });
  });
  afterAll(() => server.stop());

  /** Sends bytes and returns the answer. Devices need a `Content-Length`. */
  async function send(request: string): Promise<Answer> {
    const client = new RawClient(server.port);
    const answer = await client.send(request);
    client.close();
    expect(answer?.headers).toMatch(/^content-length: \d+$/im);
    return answer as Answer;
  }
  const values = async (sensor: string) =>
    (await readAll(server.url, `?sensor=${sensor}`)).map(({ co2, voc, created_at }) => [
      co2,
      voc,
      created_at,
    ]);

  test('InfluxDB clients get 204 for gzip and their own forms of the key, and 400 for a refused line', async () => {
    const sensor = `Lines ${name}`;
    const post = (
      address: string,
      body: string | Uint8Array<ArrayBuffer>,
      headers: Record<string, string> = {},
    ) => fetch(`${server.url}${address}`, { method: 'POST', body, headers });
    const line = (co2: number, time: number) =>
      `air,sensor=${sensor.replace(' ', '\\ ')} co2=${co2} ${1_767_348_000 + time}`;
    const zipped = new Uint8Array(gzipSync(line(612, 0)));
    const token = { Authorization: `Token ${KEY}` };
    expect((await post('/api/v2/write?org=o&bucket=b&precision=s', zipped, token)).status).toBe(204);
    expect((await post(`/write?db=d&u=any&p=${KEY}&precision=s`, line(613, 60))).status).toBe(204);
    const wrong = await post('/write?precision=s', `${line(614, 120)}\nno`, token);
    const { error, code, message, stored } = await wrong.json();
    expect([wrong.status, code, stored, message]).toEqual([400, 'invalid', 1, error]);
    expect(error).toContain('1 refused. Line 2: line is not line protocol');
    expect((await post('/write', line(615, 180))).status).toBe(401);
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(20_000_000, 10)));
    expect((await post('/write', bomb, token)).status).toBe(413);
    expect((await values(sensor)).map(([co2]) => co2)).toEqual([612, 613, 614]);
  });

  test('airRohr gets 201, its success status, and its id names the sensor', async () => {
    const answer = await send(airRohrPost({ port: server.port, path: '/api/airrohr', ...LOGIN }, AIR_ROHR));
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({ co2: 512, voc: null, sensor: '10677322' });
    const path = '/api/airrohr?sensor=Balcony%20door';
    expect((await send(airRohrPost({ port: server.port, path, ...LOGIN }, AIR_ROHR))).status).toBe(201);
    expect(await values('Balcony%20door')).toEqual([[512, null, expect.any(String)]]);
  });

  test("names the sensor of Sensor.Community's own format by X-Sensor", async () => {
    const own = {
      software_version: 'enviro-plus 0.0.1',
      sensordatavalues: [{ value_type: 'P1', value: 12.5 }],
    };
    const body = JSON.stringify(own);
    const headers = [
      `Authorization: Bearer ${KEY}`,
      'X-Sensor: raspi-0123',
      `Content-Length: ${body.length}`,
    ];
    const head = ['POST /api/airrohr HTTP/1.1', 'Host: 127.0.0.1', ...headers];
    const answer = await send([...head, '', body].join('\r\n'));
    expect(JSON.parse(answer.body)).toMatchObject({ co2: null, pm10: 12.5, sensor: 'raspi-0123' });
  });

  test('stores airRohr posts without CO2, and refuses those without any metric', async () => {
    const { SCD30_co2_ppm, ...others } = AIR_ROHR;
    const login = { port: server.port, path: '/api/airrohr', ...LOGIN };
    const answer = await send(airRohrPost(login, others));
    expect(JSON.parse(answer.body)).toMatchObject({ co2: null, voc: null, temperature: expect.any(Number) });
    const refused = await send(airRohrPost(login, { samples: '4967420', signal: '-68' }));
    const { errors } = checkProblem(JSON.parse(refused.body), 400);
    expect(errors).toEqual([
      {
        field: 'sensordatavalues',
        detail: expect.stringMatching(/^has no value that airboard keeps: SCD30_co2_ppm, /),
      },
    ]);
  });

  test('without the write key or with a wrong one, each device gets 401 and retries', async () => {
    for (const login of [{}, { ...LOGIN, password: 'wrong' }]) {
      const rohr = airRohrPost({ port: server.port, path: '/api/airrohr', ...login }, AIR_ROHR);
      const cached = { nickname: 'tank', timestamp: TIME, readings: { co2: 1 } };
      const monitor = airGradientPost({ port: server.port, ...login }, AIRGRADIENT_ONE);
      for (const request of [rohr, enviroPost({ path: '/api/enviro', ...login }, cached), monitor]) {
        checkProblem(JSON.parse((await send(request)).body), 401);
      }
    }
  });

  test('Enviro gets 201 for a reading with its time, and 200 for its repetition', async () => {
    const cached = { nickname: 'tank', timestamp: TIME, readings: { ...ENVIRO_INDOOR, scd_co2: 862 } };
    const request = enviroPost({ path: '/api/enviro', ...LOGIN }, cached);
    expect((await send(request)).status).toBe(201);
    expect((await send(request)).status).toBe(200);
    expect(await values('tank')).toEqual([[862, null, '2026-01-02T10:00:00.000Z']]);
  });

  test.each<[string, Record<string, number>, string, RegExp]>([
    [
      'without a metric',
      { gas_resistance: 52_134, aqi: 41.6, color_temperature: 4100 },
      TIME,
      /readings has no value that airboard keeps: co2, scd_co2, scd41_co2, voc/,
    ],
    ['from before 2000', { co2: 415 }, '1999-01-01T00:00:00Z', /created_at .* before 2000/],
    ['that conflicts with a stored one', { co2: 863 }, '2026-01-02T10:05:00Z', /stored with co2 862/],
  ])(
    'answers 200 to an Enviro reading %s, so it does not block later ones, and logs why it was refused',
    async (_, readings, timestamp, why) => {
      const post = (nickname: string, readings: Record<string, number>, timestamp: string) =>
        send(enviroPost({ path: '/api/enviro', ...LOGIN }, { nickname, timestamp, readings }));
      await post('dropped', { co2: 862 }, '2026-01-02T10:05:00Z');
      const answer = await post('dropped', readings, timestamp);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toEqual({
        ...{ stored: 0, duplicates: 0, refused: 1 },
        detail: expect.stringMatching(why),
      });
      expect(await values('dropped')).toHaveLength(1);
      // The log leaves out lines after ten in a second.
      const line = new RegExp(`POST /api/enviro 200 .*${why.source}`);
      await until(
        async () => line.test(server.output()) || ((await post('dropped', readings, timestamp)) && false),
      );
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).not.toContain('airboard_requests_refused_total{code="200"}');
    },
  );

  test('Enviro keeps a reading whose clock is minutes or hours ahead', async () => {
    const post = (minutes: number) => {
      const timestamp = new Date(Date.now() + minutes * 60_000).toISOString();
      return send(
        enviroPost({ path: '/api/enviro', ...LOGIN }, { nickname: 'early', timestamp, readings: { co2: 1 } }),
      );
    };
    const answer = await post(10);
    checkProblem(JSON.parse(answer.body), 503);
    expect(answer.headers).toMatch(/^retry-after: 5[34]\d$/im);
    expect((await post(0.9)).status).toBe(201);
    expect((await post(23 * 60)).headers).toMatch(/^retry-after: 827\d\d$/im);
    expect(JSON.parse((await post(25 * 60)).body)).toMatchObject({ stored: 0, refused: 1 });
  });

  test.runIf(name === 'Supabase')('Enviro keeps a reading while the store is unavailable', async () => {
    double.rest.fault = () => ({ kind: 'answer', status: 500, body: 'no' });
    const cached = { nickname: 'kept', timestamp: TIME, readings: { co2: 1 } };
    const answer = await send(enviroPost({ path: '/api/enviro', ...LOGIN }, cached));
    double.rest.fault = () => null;
    checkProblem(JSON.parse(answer.body), 503);
  });

  test('AirGradient gets 200, its only success, and its serial number names the sensor', async () => {
    const login = { port: server.port, ...LOGIN };
    const answer = await send(airGradientPost(login, AIRGRADIENT_ONE));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      ...{ co2: 447, voc: null, voc_index: 100, nox_index: 1, pm1: 3, pm25: 6, pm10: 8 },
      ...{ temperature: 24.47, humidity: 49, sensor: 'ecda3b1eaaaf' },
    });
    const first = await send(airGradientPost(login, { wifi: -46, boot: 0 }));
    expect([first.status, JSON.parse(first.body)]).toMatchObject([200, { stored: 0, refused: 1 }]);
    expect(await values('ecda3b1eaaaf')).toEqual([[447, null, expect.any(String)]]);
    for (const serial of ['%25', '%2541', '%E2%82%AC', '%2F', 'a%20b']) {
      const url = `${server.url}/sensors/airgradient:${serial}/measures`;
      const { detail } = await expectProblem(await fetch(url, { method: 'POST', body: '{"rco2":447}' }), 400);
      expect(detail).toMatch(/^The address has no serial number/);
    }
  });

  test('AirGradient learns that there is no configuration and no firmware for it', async () => {
    const ask = async (path: string) => {
      const answer = await fetch(`${server.url}/sensors/airgradient:ecda3b1eaaaf${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await ask('/one/config')).toEqual([200, '[]']);
    expect(await ask('/generic/os/firmware.bin?current_firmware=3.6.5')).toEqual([304, '']);
    expect(await ask('/measures')).toMatchObject([405, expect.any(String)]);
    expect(await ask('/one/other')).toMatchObject([404, expect.any(String)]);
  });

  test('polls AirGradient monitors and other addresses at the start, and logs unreachable ones', async () => {
    const readings = await until(async () => {
      const readings = await values('Hall');
      return readings.length > 0 && readings;
    });
    expect(readings).toEqual([[447.5, null, expect.any(String)]]);
    await until(() => /AirGradient at 127\.0\.0\.1:1: can't be reached: \S/.test(server.output()));
    await until(() => /127\.0\.0\.1:1\/x: can't be reached: \S/.test(server.output()));
    await until(async () => (await values('Polled'))[0]?.[0] === 447.5);
    expect(server.output()).not.toContain('secret');
  });
});

test('loads the code for MQTT only with MQTT_URL', () => {
  const importers = filesBelow('build/server').filter((path) =>
    /from ["']mqtt["']/.test(readFileSync(path, 'utf8')),
  );
  expect(importers).toEqual([expect.stringContaining('follow-mqtt')]);
  const index = readFileSync('build/server/index.js', 'utf8');
  expect(index).toMatch(/import\(["'][^"']*follow-mqtt/);
  expect(index).not.toMatch(/from ["'][^"']*follow-mqtt/);
});
