import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AIR_ROHR } from '../support/devices/recipes';
import { expectProblem, post, postAll, readAll } from '../support/server/api';
import { openConnection, parseAnswer } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

describe('the body', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.stop());

  const send = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/data`, { method: 'POST', body, headers });

  test.each([
    [{ co2: 415.25, voc: 120 }, 415.25, 120],
    [{ co2: ' 4.15e2 ', voc: '-5' }, 415, -5],
    [{ co2: 1, voc: 2, id: 1, created_at: null, sensor: null }, 1, 2],
  ])('stores %j and answers with the stored reading', async (body, co2, voc) => {
    const before = Date.now();
    const answer = await post(server.url, body);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
    const stored = await answer.json();
    expect(stored).toEqual({ id: expect.any(Number), co2, voc, created_at: expect.any(String) });
    expect(stored.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}|\d{6})Z$/);
    expect(Date.parse(stored.created_at)).toBeGreaterThanOrEqual(before - 1);
    expect((await readAll(server.url, '?limit=1'))[0]).toEqual(stored);
  });

  test('gives consecutive ids', async () => {
    const stored = await postAll(
      server.url,
      [1, 2, 3, 4].map((co2) => ({ co2, voc: 0 })),
    );
    const first = stored[0]?.id ?? 0;
    expect(stored.map(({ id }) => id)).toEqual([first, first + 1, first + 2, first + 3]);
  });

  test('stores a hundred concurrent posts and answers each with its own reading', async () => {
    const after = (await readAll(server.url, '?limit=1'))[0]?.id ?? 0;
    const values = Array.from({ length: 100 }, (_, i) => i);
    const answers = await Promise.all(values.map((co2) => post(server.url, { co2, voc: -co2 })));
    const answered = await Promise.all(answers.map((answer) => answer.json()));
    expect(answered.map(({ co2 }) => co2)).toEqual(values);
    const stored = await readAll(server.url, `?after=${after}`);
    expect(stored).toEqual(answered.sort((a, b) => a.id - b.id));
  });

  test.each([
    ['none', undefined],
    ['JSON', 'application/json'],
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a multipart form without a boundary', 'multipart/form-data'],
    ['nonsense', ';;;'],
  ])('reads the body as JSON, whatever its Content-Type: %s', async (_, type) => {
    // A Blob has no Content-Type.
    const body = new Blob(['{"co2": 415, "voc": 120}']);
    expect((await send(body, type ? { 'Content-Type': type } : {})).status).toBe(201);
  });

  test('accepts spaces around the body and Unicode in ignored members', async () => {
    expect((await send(' \r\n{"co2": 1, "voc": 2, "room": "Küche 🍳"}\n')).status).toBe(201);
  });

  test('stores fewer metrics, and counts what it ignores', async () => {
    const sent = { sensor: 'Boiler', co2: 800, so2: 3, '\u001b[2Jbattery': 90 };
    const answers = [await post(server.url, { temperature: 20 }), await post(server.url, sent)];
    answers.push(await post(server.url, { ...sent, co2: 801 }));
    const stored = { id: expect.any(Number), created_at: expect.any(String), voc: null };
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { ...stored, co2: null, temperature: 20 },
      { ...stored, co2: 800, sensor: 'Boiler', ignored: 2 },
      { ...stored, co2: 801, sensor: 'Boiler', ignored: 2 },
    ]);
    expect(await readAll(server.url, '?limit=1&sensor=Boiler')).toEqual([
      { ...stored, co2: 801, sensor: 'Boiler' },
    ]);
    const lines = () => server.output().match(/POST \/api\/data 201 Stored without .*Boiler.*/g) ?? [];
    await until(() => lines().length > 0);
    expect(lines()).toEqual([
      'POST /api/data 201 Stored without 2 unknown members of "Boiler": "so2", "\\u001b[2Jbattery". Logged once for a sensor.',
    ]);
  });

  test.each([
    [{}, ['co2']],
    [{ co2: null, voc: null }, ['co2']],
    [{ co2: '', temperature: 'x' }, ['co2', 'temperature']],
    [{ co2: 415, temprature: 20, hum: 40 }, ['temprature', 'hum']],
  ])('rejects %j with 400, names each field and stores nothing', async (body, fields) => {
    const before = await readAll(server.url, '?limit=1');
    const problem = await expectProblem(await post(server.url, body), 400);
    expect(problem.errors?.map(({ field }) => field)).toEqual(fields);
    expect(await readAll(server.url, '?limit=1')).toEqual(before);
  });

  test.each([
    ['', 'nothing'],
    ['co2=415&voc=120', 'a form'],
    ['{"co2": 415, "voc": 120', 'a body cut short'],
    ['{"co2": PPM, "voc": 120}', 'a bare word'],
  ])('rejects %j with 400: %s is not JSON', async (body) => {
    const problem = await expectProblem(await send(body), 400);
    expect(problem.detail).toContain('not JSON');
  });

  test('rejects a body that is not UTF-8', async () => {
    const latin1 = Buffer.from('{"co2": 1, "voc": 2, "room": "Küche"}', 'latin1');
    await expectProblem(await send(new Uint8Array(latin1)), 400);
  });

  test('ignores the query of a post', async () => {
    const answer = await fetch(`${server.url}/api/data?limit=nonsense`, {
      method: 'POST',
      body: '{"co2": 1, "voc": 2}',
    });
    expect(answer.status).toBe(201);
  });

  test('stores a body that arrives in parts', async () => {
    const { socket, received } = openConnection(
      server.port,
      'POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Length: 24\r\n\r\n{"co2": 4',
    );
    await until(() => socket.bytesWritten > 60);
    socket.write('15, "vo');
    socket.write('c": 120}');
    const answer = await until(() => parseAnswer(received()));
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({ co2: 415, voc: 120 });
    socket.destroy();
  });

  test('accepts HTTP/1.0 without a Host header, as small boards send it', async () => {
    const { received, isClosed } = openConnection(
      server.port,
      'POST /api/data HTTP/1.0\r\nContent-Length: 22\r\n\r\n{"co2": 415,"voc":120}',
    );
    await until(isClosed);
    expect(parseAnswer(received())?.status).toBe(201);
  });

  test('stores nothing if the body is cut off', async () => {
    const before = await readAll(server.url, '?limit=1');
    const { socket, isClosed } = openConnection(
      server.port,
      'POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Length: 500\r\n\r\n{"co2": 415, "voc": 120}',
    );
    await until(() => socket.bytesWritten > 60);
    socket.end();
    await until(isClosed);
    expect(await readAll(server.url, '?limit=1')).toEqual(before);
  });

  test('answers two posts on one connection in order', async () => {
    const request = (co2: number) =>
      `POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Length: 20\r\n\r\n{"co2":${co2},"voc":20}`;
    const { socket, received } = openConnection(server.port, request(101) + request(102));
    await until(() => (received().match(/"co2":/g) ?? []).length === 2);
    expect(received().match(/"co2":\d+/g)).toEqual(['"co2":101', '"co2":102']);
    socket.destroy();
  });
});

describe('the query', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ env: { NOTIFY_URLS: 'ntfy://127.0.0.1:65000/air-4711' } });
  });

  afterAll(() => server.stop());

  const sensordatavalues = Object.entries(AIR_ROHR).map(([value_type, value]) => ({ value_type, value }));
  const BODIES: Record<string, object> = {
    '/api/airrohr': { esp8266id: '10677322', sensordatavalues },
    '/api/enviro': { nickname: 'tank', timestamp: '2026-01-02T10:00:00Z', readings: { co2: 862 } },
    '/api/notifications': {},
  };

  test.each([
    ['/api/airrohr?sensr=Balcony', { sensr: 'is unknown: use sensor' }],
    ['/api/airrohr?Sensor=a&sensor=b&x', { Sensor: 'is unknown: use sensor', x: 'is unknown: use sensor' }],
    ['/api/airrohr?sensor=a&sensor=b', { sensor: 'is given twice: send it once' }],
    // Enviro keeps its readings until someone corrects the address.
    ['/api/enviro?sensr=Balcony', { sensr: 'is unknown: use sensor' }],
    ['/api/enviro?sensor=a&sensor=a', { sensor: 'is given twice: send it once' }],
    ['/api/notifications?to=me', { to: 'is unknown: this address takes no parameters' }],
  ])('refuses a post to %s with 400 and names the parameter', async (address, errors) => {
    const [path = ''] = address.split('?');
    const body = JSON.stringify(BODIES[path]);
    const answer = await fetch(server.url + address, { method: 'POST', body });
    const problem = await expectProblem(answer, 400);
    expect(problem.errors).toEqual(Object.entries(errors).map(([field, detail]) => ({ field, detail })));
    expect(await readAll(server.url)).toEqual([]);
  });

  test('refuses an unknown parameter of /api/notifications', async () => {
    await expectProblem(await fetch(`${server.url}/api/notifications?limits=10`), 400);
  });
});
