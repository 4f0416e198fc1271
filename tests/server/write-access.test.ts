import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { openConnection, parseAnswer } from '../support/connection';
import { checkProblem, expectProblem } from '../support/problem';
import { type RunningServer, startServer } from '../support/server';
import { until } from '../support/until';

const READING = { co2: 415, voc: 120 };
const KEY = 'correct-horse/battery+staple=';
const FRIEND = 'https://friend.example';

describe('with a WRITE_KEY and an allowed origin', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      env: { WRITE_KEY: KEY, ALLOWED_ORIGINS: `${FRIEND}, http://other.example:8080` },
    });
  });
  afterAll(() => server.stop());

  test.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}`, `Bearer ${KEY}  `])(
    '"Authorization: %s" may write',
    async (Authorization) => {
      expect((await post(server.url, READING, { Authorization })).status).toBe(201);
    },
  );

  test.each([
    ['none', undefined],
    ['empty', ''],
    ['no scheme', KEY],
    ['another scheme', `Basic ${KEY}`],
    ['no key', 'Bearer '],
    ['the beginning of the key', `Bearer ${KEY.slice(0, -1)}`],
    ['more than the key', `Bearer ${KEY}x`],
    ['the key in other letters', `Bearer ${KEY.toUpperCase()}`],
    ['the key twice', `Bearer ${KEY}, Bearer ${KEY}`],
    ['a very long key', `Bearer ${'k'.repeat(12_000)}`],
    ['spaces without end', `Bearer${' '.repeat(12_000)}x`],
    ['a key that is no ASCII', 'Bearer schl\xfcssel\xff'],
  ])('an Authorization with %s is a 401 that says what is wanted, and stores nothing', async (_, sent) => {
    const before = await readAll(server.url);
    const answer = await post(server.url, READING, sent === undefined ? {} : { Authorization: sent });
    const { detail } = await expectProblem(answer, 401);
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
    expect(detail).not.toContain(KEY);
    expect(await readAll(server.url)).toEqual(before);
  });

  test('a key over all bounds is refused, and the connection closed', async () => {
    const head = `POST /api/data HTTP/1.1\r\nHost: board\r\nAuthorization: Bearer ${'k'.repeat(20_000)}\r\n\r\n`;
    const connection = openConnection(server.port, head);
    const answer = await until(() => parseAnswer(connection.received()));
    checkProblem(JSON.parse(answer.body), 431);
    await until(connection.isClosed);
  });

  test('reading needs no key, and the boot says nothing of anyone writing', async () => {
    for (const path of ['/api/data', '/healthz', '/', '/postdata']) {
      expect((await fetch(server.url + path)).status).toBe(200);
    }
    expect(server.output()).not.toContain('anyone');
  });

  test('an allowed origin may ask, read and write, with the key', async () => {
    const preflight = await fetch(`${server.url}/api/data`, {
      method: 'OPTIONS',
      headers: {
        Origin: FRIEND,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization, content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe(FRIEND);
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('POST');
    expect(preflight.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toContain('authorization');
    expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBeNull();

    const headers = { Origin: FRIEND, 'Sec-Fetch-Site': 'cross-site' };
    const refused = await post(server.url, READING, headers);
    await expectProblem(refused, 401);
    const stored = await post(server.url, READING, { ...headers, Authorization: `Bearer ${KEY}` });
    expect(stored.status).toBe(201);
    for (const answer of [refused, stored, await fetch(`${server.url}/api/data`, { headers })]) {
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(FRIEND);
      expect(answer.headers.get('Vary')).toMatch(/\bOrigin\b/);
    }
  });

  test.each([
    'https://friend.example.evil.example',
    'http://friend.example',
    'https://friend.example:444',
    'null',
  ])('the origin %s is none of them: no CORS, and no writing even with the key', async (Origin) => {
    const headers = { Origin, Authorization: `Bearer ${KEY}` };
    const answer = await post(server.url, READING, headers);
    await expectProblem(answer, 403);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    const preflight = await fetch(`${server.url}/api/data`, {
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Method': 'POST' },
    });
    await expectProblem(preflight, 405);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('without a key, and with a ceiling of 20 posts a minute', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env: { POSTS_PER_MINUTE: '20' } });
  });
  afterAll(() => server.stop());

  test('the boot says that anyone can write', () => {
    expect(server.output()).toContain('anyone who reaches this server can write');
  });

  test('a device, which tells of no site, and a page of this site pass', async () => {
    expect((await post(server.url, READING)).status).toBe(201);
    for (const site of ['same-origin', 'none']) {
      const headers = { Origin: server.url, 'Sec-Fetch-Site': site };
      expect((await post(server.url, READING, headers)).status).toBe(201);
    }
  });

  test('behind a proxy the page’s host is the one the proxy tells of', async () => {
    const headers = { Origin: 'https://air.example', 'X-Forwarded-Host': 'air.example' };
    expect((await post(server.url, READING, headers)).status).toBe(201);
  });

  test.each<Record<string, string>>([
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'null' },
    { Origin: '' },
    { Origin: 'not an origin' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'http://127.0.0.1' },
  ])('a post with %o is refused with 403, whatever its type, and stored nowhere', async (headers) => {
    const before = await readAll(server.url);
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      await expectProblem(await post(server.url, READING, { ...headers, 'Content-Type': type }), 403);
    }
    expect(await readAll(server.url)).toEqual(before);
  });

  test('past the ceiling posts are told to come back, and everything else is answered', async () => {
    const statuses = [];
    let refused: Response | undefined;
    for (let i = 0; i < 25; i++) {
      const answer = await post(server.url, READING);
      statuses.push(answer.status);
      if (answer.status !== 201) refused ??= answer;
    }
    const stored = statuses.indexOf(429);
    expect(stored).toBeLessThanOrEqual(20);
    expect(statuses.slice(stored).every((status) => status === 429)).toBe(true);
    await expectProblem(refused as Response, 429);
    const seconds = Number(refused?.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await readAll(server.url)).toHaveLength(20);
    expect((await fetch(server.url)).status).toBe(200);
  });
});
