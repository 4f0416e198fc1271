import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

const READ_KEY = 'enough-battery-staple';
const WRITE_KEY = 'correct-horse-battery';

/** A server that everybody may read, one with both keys, and one with the read key alone. */
let open: RunningServer;
let locked: RunningServer;
let writable: RunningServer;

beforeAll(async () => {
  const shared = { NOTIFY_URLS: 'ntfy://127.0.0.1:9/none' };
  [open, locked, writable] = await Promise.all([
    startServer({ env: shared }),
    startServer({ env: { ...shared, READ_KEY, WRITE_KEY, TRUST_PROXY: '1' } }),
    startServer({ env: { ...shared, READ_KEY } }),
  ]);
  const reading = { sensor: 'Kitchen', co2: 612.4, voc: 87.5 };
  for (const { url } of [open, writable]) expect((await post(url, reading)).status).toBe(201);
  const posted = await post(locked.url, reading, { Authorization: `Bearer ${WRITE_KEY}` });
  expect(posted.status).toBe(201);
});

afterAll(() => Promise.all([open, locked, writable].map((server) => server.stop())));

const MONITOR = 'airgradient:84fce612f5b8';

/** The path of a route's file: `/api/data` for `api.data.ts`. */
const pathOf = (file: string) =>
  `/${file
    .replace(/\.tsx?$/, '')
    .replace(/^_index$/, '')
    .replaceAll(/(?<!\[)\.(?!\])/g, '/')
    .replaceAll('[.]', '.')
    .replace('$monitor', MONITOR)}`;

const FILES = readdirSync('app/routes');
const PAGES = FILES.filter((file) => file.endsWith('.tsx')).map(pathOf);
const API = FILES.filter((file) => file.endsWith('.ts')).map(pathOf);
/** They tell nothing about the air. A new route is locked unless it is added here. */
const OPEN = [
  '/api/docs',
  '/api/openapi.json',
  '/healthz',
  `/sensors/${MONITOR}/generic/os/firmware.bin`,
  `/sensors/${MONITOR}/one/config`,
];

/** What devices post to, and the form. A new action is locked unless it is added here. */
const OPEN_POSTS = [
  '/api/airrohr',
  '/api/data',
  '/api/enviro',
  '/api/v2/write',
  '/read-key',
  `/sensors/${MONITOR}/measures`,
  '/write',
];

const QUERIES: Record<string, string> = {
  '/api/history': '?sensor=Kitchen',
  '/api/restore': '?sensor=Kitchen',
  '/api/ventilation': '?sensor=Kitchen',
};

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await fetch(url, { method, headers, redirect: 'manual' });
  const type = answer.headers.get('Content-Type')?.split(';')[0];
  // A stream doesn't end.
  const text = type === 'text/event-stream' ? '' : await answer.text();
  if (type === 'text/event-stream') await answer.body?.cancel();
  return { status: answer.status, type, text, headers: answer.headers };
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const basic = (key: string) => ({ Authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` });

test.each(API)('%s is read with a key as without one where none is set', async (path) => {
  const address = path + (QUERIES[path] ?? '');
  const usual = await get(open.url + address);
  if (usual.status === 405 || OPEN.includes(path)) {
    expect((await get(locked.url + address)).status).toBe(usual.status);
    return;
  }
  expect(usual.status).toBeLessThan(400);
  const refused = await get(locked.url + address);
  expect([refused.status, refused.type]).toEqual([401, 'application/problem+json']);
  expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer realm="airboard"');
  expect(refused.text).not.toMatch(/612|Kitchen/);
  expect((await get(locked.url + address, {}, 'HEAD')).status).toBe(401);
  expect((await get(locked.url + address, bearer(WRITE_KEY))).status).toBe(usual.status);
  // The report about notifications needs the write key, as before.
  const expected = path === '/api/notifications' ? 401 : usual.status;
  for (const headers of [bearer(READ_KEY), basic(READ_KEY), { Cookie: await enter(READ_KEY) }])
    expect((await get(locked.url + address, headers)).status).toBe(expected);
});

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

test.each([...API, ...PAGES])(
  'changes at %s need the read key even without a write key, unless devices post there',
  async (path) => {
    // With a sensor, PATCH answers with its readings.
    const address = path === '/api/sensors' ? `${path}?sensor=Kitchen` : path;
    const cookie = { Cookie: await enter(READ_KEY) };
    for (const method of METHODS) {
      const send = async (server: RunningServer, headers: Record<string, string> = {}) => {
        const init = { method, body: '{}', headers, redirect: 'manual' } as const;
        const answer = await fetch(server.url + address, init);
        return { status: answer.status, text: await answer.text() };
      };
      const usual = await send(open);
      const withoutKey = await send(writable);
      if (usual.status === 405) {
        expect(withoutKey.status).toBe(405);
      } else if (method === 'POST' && OPEN_POSTS.includes(path)) {
        expect(withoutKey.text).not.toContain('read key is missing');
      } else {
        expect([method, withoutKey]).toEqual([
          method,
          { status: 401, text: expect.stringMatching(/read key is missing|Enter the key/) },
        ]);
        expect((await send(writable, cookie)).status).toBe(usual.status);
      }
    }
  },
);

test('a post that contradicts a stored reading learns its values only with the read key', async () => {
  const { url } = writable;
  const created_at = '2026-01-02T10:00:00.000Z';
  const sent = { sensor: 'Study', co2: 612.4, temperature: 21.5, created_at };
  expect((await post(url, sent)).status).toBe(201);
  const other = { sensor: 'Study', co2: 500, created_at };
  const lines = `air,sensor=Study co2=500 ${Date.parse(created_at)}`;
  const answersFor = async (headers: Record<string, string>) => {
    const one = await post(url, other, headers);
    const several = await post(url, [other, { ...other, created_at: '2026-01-02T11:00:00Z' }], headers);
    const influx = await fetch(`${url}/write?precision=ms`, { method: 'POST', body: lines, headers });
    return [
      one.status,
      several.status,
      influx.status,
      await one.text(),
      await several.text(),
      await influx.text(),
    ];
  };
  const [a, b, c, ...hidden] = await answersFor({});
  expect([a, b, c]).toEqual([409, 200, 400]);
  for (const text of hidden) {
    expect(text).toMatch(/is stored with other values than co2 500/);
    expect(text).not.toMatch(/612|21\.5|temperature/);
  }
  for (const headers of [bearer(READ_KEY), { Cookie: await enter(READ_KEY) }])
    for (const text of (await answersFor(headers)).slice(3)) expect(text).toContain('stored with co2 612.4');
});

test.each([...PAGES, '/no-page', '/no.file', '/CHART', '/%63hart/'])(
  'the page %s is a form without the key, and the usual page with it',
  async (path) => {
    const usual = await get(open.url + path);
    const refused = await get(`${locked.url + path}?sensor=Kitchen`);
    expect([refused.status, refused.type]).toEqual([401, 'text/html']);
    expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer realm="airboard"');
    expect(refused.headers.get('Content-Security-Policy')).toContain("script-src 'none'");
    expect(refused.text).toMatch(/<form method="post" action="\/read-key"/);
    expect(refused.text).toMatch(/name="to" value="\/[\w.-]*\?sensor=Kitchen"/);
    expect(refused.text).not.toContain('612');
    for (const headers of [bearer(READ_KEY), { Cookie: await enter(READ_KEY) }])
      expect((await get(locked.url + path, headers)).status).toBe(usual.status);
  },
);

test.each(['/_root.data', ...PAGES.filter((path) => path !== '/').map((path) => `${path}.data`)])(
  'the data %s needs the key',
  async (path) => {
    await expectProblem(await fetch(locked.url + path), 401);
    expect((await get(locked.url + path, bearer(READ_KEY))).status).toBe((await get(open.url + path)).status);
  },
);

test('the files of the form are open', async () => {
  const { text } = await get(`${locked.url}/`);
  const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => file as string);
  expect(files.length).toBeGreaterThan(2);
  for (const file of [...files, '/service-worker.js', '/assets.json', '/__manifest?p=/'])
    expect([file, (await get(locked.url + file)).status]).toEqual([file, file.includes('?') ? 204 : 200]);
});

/** Sends the form. Returns the cookie. */
async function enter(key: string, fields: Record<string, string> = {}) {
  const { cookie } = await send({ key, ...fields });
  return cookie.split(';')[0] as string;
}

async function send(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields);
  const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
  const answer = await fetch(`${locked.url}/read-key`, init);
  return {
    status: answer.status,
    to: answer.headers.get('Location'),
    cookie: answer.headers.get('Set-Cookie') ?? '',
    text: await answer.text(),
  };
}

const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/x/..//evil.example',
  '/.\\/evil.example',
  'javascript:1',
];

test('the form sets a cookie without the key in it, which is secure over HTTPS, and returns to its page only', async () => {
  const { status, to, cookie } = await send({ key: ` ${READ_KEY} `, to: '/history?span=week' });
  expect([status, to]).toEqual([303, '/history?span=week']);
  expect(cookie).toMatch(/^airboard-reader=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
  const secure = await send({ key: READ_KEY }, { 'X-Forwarded-Proto': 'https' });
  expect([secure.to, secure.cookie]).toEqual(['/', `${cookie}; Secure`]);
  for (const elsewhere of ELSEWHERE)
    expect([elsewhere, (await send({ key: READ_KEY, to: elsewhere })).to]).toEqual([elsewhere, '/']);
  expect((await send({ forget: 'true' })).cookie).toMatch(/^airboard-reader=; Path=\/; Max-Age=0;/);
  for (const [header, value] of [
    ['Sec-Fetch-Site', 'cross-site'],
    ['Origin', 'http://evil.example'],
    ['Origin', 'null'],
  ] as const)
    expect((await send({ forget: 'true' }, { [header]: value })).status).toBe(403);
  expect((await send({ forget: 'true' }, { Origin: locked.url })).status).toBe(303);
});

test('wrong keys and cookies open nothing, and wrong keys have to wait', async () => {
  expect((await get(`${locked.url}/api/data`, { Cookie: 'airboard-reader=guess' })).status).toBe(401);
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const wrong = await send({ key: 'guess', to: '/chart' }, from('203.0.113.7'));
  expect([wrong.status, wrong.cookie]).toEqual([401, '']);
  expect(wrong.text).toContain('That isn’t the read key.');
  expect(wrong.text).toContain('name="to" value="/chart"');
  const statuses = new Set<number>();
  for (let i = 0; i < 20; i++) {
    const headers = { ...from('203.0.113.8'), ...bearer(`guess ${i}`) };
    statuses.add((await get(`${locked.url}/api/data`, headers)).status);
  }
  expect([...statuses]).toEqual([401, 429]);
  // As for posts, the right key is accepted meanwhile.
  const right = { ...from('203.0.113.8'), ...bearer(READ_KEY) };
  expect((await get(`${locked.url}/api/data`, right)).status).toBe(200);
});

test('the read key opens no writing, and posts need no read key', async () => {
  await expectProblem(await post(locked.url, { co2: 500 }, bearer(READ_KEY)), 401);
  expect((await post(locked.url, { co2: 500 }, bearer(WRITE_KEY))).status).toBe(201);
});

test('answers about the past are kept by no cache that several readers share', async () => {
  const span = '/api/history?sensor=Kitchen&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z';
  const caching = async (server: RunningServer) =>
    (await get(server.url + span, bearer(READ_KEY))).headers.get('Cache-Control');
  expect(await caching(open)).toMatch(/^public, max-age=\d+$/);
  expect(await caching(locked)).toMatch(/^private, max-age=\d+$/);
});

test('the commands send the key', async () => {
  const run = (script: string, env: Record<string, string>, ...options: string[]) =>
    new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [`scripts/${script}.js`, '--url', locked.url, ...options],
        { env: { ...process.env, ...env } },
        (_, out, error) => resolve(out + error),
      );
    });
  for (const env of [{ READ_KEY }, { WRITE_KEY }, { READ_KEY, WRITE_KEY }] as Record<string, string>[]) {
    expect(await run('sensors', env)).toContain('Kitchen');
    expect(await run('export', env, '--sensor', 'Kitchen')).toContain('612.4');
  }
  for (const script of ['sensors', 'export']) expect(await run(script, {})).toContain('read key is missing');
});
