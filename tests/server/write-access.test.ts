import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkProblem, expectProblem, post, readAll } from '../support/server/api';
import { openConnection, parseAnswer } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const READING = { co2: 415, voc: 120 };
const KEY = 'correct-horse/battery+staple=';
const basic = (userAndPassword: string) => `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
const FRIEND = 'https://friend.example';

/** Returns the members of a list header, in lower case. */
const listOf = ({ headers }: Response, name: string) => headers.get(name)?.toLowerCase().split(', ');

describe('with a WRITE_KEY and an allowed origin', () => {
  let server: RunningServer;
  /** The last part of an address. Each wrong key comes from its own one, because an address has to wait after five. */
  let guesser = 0;
  beforeAll(async () => {
    server = await startServer({
      env: { WRITE_KEY: KEY, ALLOWED_ORIGINS: `${FRIEND}, http://other.example:8080`, TRUST_PROXY: '1' },
    });
  });
  afterAll(() => server.stop());

  test.each([
    ...[`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}`, `Bearer ${KEY}  `],
    // The user name doesn't matter.
    ...[basic(`airboard:${KEY}`), basic(`:${KEY}`), basic(`zoë:${KEY}`).replace('Basic', 'basic  ')],
  ])('stores a reading with "Authorization: %s"', async (Authorization) => {
    expect((await post(server.url, READING, { Authorization })).status).toBe(201);
  });

  test.each([
    ['no header', undefined],
    ['an empty value', ''],
    ['no scheme', KEY],
    ['another scheme', `Basic ${KEY}`],
    ['no key', 'Bearer '],
    ['the start of the key', `Bearer ${KEY.slice(0, -1)}`],
    ['a longer text that starts with the key', `Bearer ${KEY}x`],
    ['the key in upper case', `Bearer ${KEY.toUpperCase()}`],
    ['the key twice', `Bearer ${KEY}, Bearer ${KEY}`],
    ['a very long key', `Bearer ${'k'.repeat(12_000)}`],
    ['thousands of spaces', `Bearer${' '.repeat(12_000)}x`],
    ['a wrong password', basic('airboard:wrong')],
    ['the key as the user', basic(`${KEY}:`)],
    ['the key without a user', basic(KEY)],
    ['a colon before the key', basic(`airboard::${KEY}`)],
    ['Basic that is not Base64', 'Basic ???'],
    ['a key with characters outside ASCII', 'Bearer schl\xfcssel\xff'],
  ])('rejects an Authorization with %s with 401 and WWW-Authenticate', async (_, sent) => {
    const before = await readAll(server.url);
    guesser += 1;
    const from = { 'X-Forwarded-For': `203.0.113.${guesser}` };
    const login: Record<string, string> = sent === undefined ? {} : { Authorization: sent };
    const answer = await post(server.url, READING, { ...login, ...from });
    const { detail } = await expectProblem(answer, 401);
    const isSent =
      /^Bearer +\S/.test(sent ?? '') ||
      [basic('airboard:wrong'), basic(`airboard::${KEY}`)].includes(sent ?? '');
    expect(detail).toContain(isSent ? 'The write key is wrong' : 'The write key is missing');
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
    expect(detail).not.toContain(KEY);
    expect(await readAll(server.url)).toEqual(before);
  });

  test('rejects an Authorization over the header limit with 431 and closes the connection', async () => {
    const head = `POST /api/data HTTP/1.1\r\nHost: board\r\nAuthorization: Bearer ${'k'.repeat(20_000)}\r\n\r\n`;
    const connection = openConnection(server.port, head);
    const answer = await until(() => parseAnswer(connection.received()));
    checkProblem(JSON.parse(answer.body), 431);
    await until(connection.isClosed);
  });

  test('reading needs no key, and the server does not warn that anyone can write', async () => {
    for (const path of ['/api/data', '/healthz', '/', '/postdata']) {
      expect((await fetch(server.url + path)).status).toBe(200);
    }
    expect(server.output()).not.toContain('anyone');
  });

  test('an allowed origin gets CORS headers, and writes with the key', async () => {
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
    const rejected = await post(server.url, READING, headers);
    await expectProblem(rejected, 401);
    const stored = await post(server.url, READING, { ...headers, Authorization: `Bearer ${KEY}` });
    expect(stored.status).toBe(201);
    const answers = [rejected, stored];
    for (const path of ['data', 'data?format=csv', 'sensors', 'history', 'summary', 'pattern']) {
      const answer = await fetch(`${server.url}/api/${path}`, { headers });
      expect(answer.status).toBe(200);
      answers.push(answer);
    }
    for (const answer of answers) {
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(FRIEND);
      expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('Content-Disposition');
      expect(answer.headers.get('Vary')).toMatch(/\bOrigin\b/);
    }
  });

  test.each(['history', 'summary', 'pattern'])(
    'an allowed origin can revalidate /api/%s by its ETag',
    async (path) => {
      const address = `${server.url}/api/${path}?from=2026-01-02T10:00:00Z&to=2026-01-02T11:00:00Z&sensor=`;
      const preflight = await fetch(address, {
        method: 'OPTIONS',
        headers: {
          Origin: FRIEND,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'if-none-match',
        },
      });
      expect(listOf(preflight, 'Access-Control-Allow-Headers')).toContain('if-none-match');
      const first = await fetch(address, { headers: { Origin: FRIEND } });
      expect(listOf(first, 'Access-Control-Expose-Headers')).toContain('etag');
      const headers = { Origin: FRIEND, 'If-None-Match': first.headers.get('ETag') as string };
      const again = await fetch(address, { headers });
      expect([again.status, again.headers.get('Access-Control-Allow-Origin')]).toEqual([304, FRIEND]);
    },
  );

  test.each([
    'https://friend.example.evil.example',
    'http://friend.example',
    'https://friend.example:444',
    'null',
  ])('the origin %s gets no CORS headers, and cannot write even with the key', async (Origin) => {
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

describe('without a WRITE_KEY', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  test('warns at the start that anyone can write', () => {
    expect(server.output()).toContain('anyone who reaches this server can write');
  });

  test('stores posts from its own pages, and from devices, which send no Origin', async () => {
    expect((await post(server.url, READING)).status).toBe(201);
    for (const site of ['same-origin', 'none']) {
      const headers = { Origin: server.url, 'Sec-Fetch-Site': site };
      expect((await post(server.url, READING, headers)).status).toBe(201);
    }
  });

  test('uses the page host from X-Forwarded-Host behind a proxy', async () => {
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
  ])('rejects a post with %o with 403, whatever its Content-Type', async (headers) => {
    const before = await readAll(server.url);
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      await expectProblem(await post(server.url, READING, { ...headers, 'Content-Type': type }), 403);
    }
    expect(await readAll(server.url)).toEqual(before);
  });
});

test('answers posts over POSTS_PER_MINUTE with 429 and Retry-After, and other requests as usual', async () => {
  const server = await startServer({ env: { POSTS_PER_MINUTE: '20' } });
  for (let i = 0; i < 20; i++) expect((await post(server.url, READING)).status).toBe(201);
  for (let i = 0; i < 5; i++) {
    const rejected = await post(server.url, READING);
    await expectProblem(rejected, 429);
    const seconds = Number(rejected.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  }
  expect(await readAll(server.url)).toHaveLength(20);
  expect((await fetch(server.url)).status).toBe(200);
  await server.stop();
});

test('with TRUST_PROXY, invalid posts of one visitor do not use up the rate limit of others', async () => {
  const server = await startServer({ env: { POSTS_PER_MINUTE: '20', TRUST_PROXY: '1' } });
  const from = (address: string) => ({ 'X-Forwarded-For': `198.51.100.1, ${address}` });
  for (let i = 0; i < 20; i++) {
    expect((await post(server.url, {}, from('203.0.113.9'))).status).toBe(400);
  }
  await expectProblem(await post(server.url, READING, from('203.0.113.9')), 429);
  for (let i = 0; i < 20; i++) {
    expect((await post(server.url, READING, from('203.0.113.7'))).status).toBe(201);
  }
  await server.stop();
});

test('an address that sends wrong keys gets 429, and the right key from it is accepted each time', async () => {
  const server = await startServer({ env: { WRITE_KEY: 'short', TRUST_PROXY: '1' } });
  expect(server.output()).toContain('WRITE_KEY has 5 characters');
  const send = (key: string, address = '203.0.113.9') =>
    post(server.url, READING, { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address });
  // The wait of one second may be over before a busy machine sends the next request, so this is repeated.
  const rejected = await until(async () => {
    const answer = await send('guess');
    expect((await send('short')).status).toBe(201);
    return answer.status !== 401 && answer;
  });
  const { detail } = await expectProblem(rejected, 429);
  expect(detail).toMatch(/^The write key is wrong, as were others from this address/);
  expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);
  await expectProblem(await send('guess', '203.0.113.7'), 401);
  await server.stop();
});
