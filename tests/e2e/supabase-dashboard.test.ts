import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { launchChromium } from '../support/chromium';
import { openPage } from '../support/page';
import { type RunningServer, runServer, startServer } from '../support/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase-double';
import { until } from '../support/until';

const PAGES = ['/', '/postdata', '/chart', '/chart?range=24HR'];
const ASSETS = 'build/client/assets';

let double: SupabaseDouble;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  double = await startSupabaseDouble();
  const env = { ...double.env, SUPABASE_SECRET_KEY: double.secretKey };
  [server, browser] = await Promise.all([startServer({ env }), launchChromium()]);
});

afterEach(() => double.reset());

afterAll(async () => {
  await Promise.all([server.stop(), browser.close()]);
  await double.stop();
});

const tile = (page: Page) => page.getByRole('article', { name: 'CO2' });

test('stores a reading posted by HTTP in the project, and two open pages show it', async () => {
  const pages = await Promise.all([openPage(browser, server.url), openPage(browser, server.url)]);
  for (const page of pages) await page.getByText('Getting Reading').first().waitFor();
  await until(() => double.realtime.channels === 2);
  const answer = await post(server.url, { co2: 415, voc: '120' });
  expect(answer.status).toBe(201);
  const stored = await answer.json();
  expect(double.rest.rows.at(-1)).toMatchObject({ id: stored.id, co2: 415, voc: 120 });
  expect(await readAll(server.url)).toEqual([stored]);
  for (const page of pages) {
    await until(async () => (await tile(page).innerText()).includes('415'));
    expect(page.complaints).toEqual([]);
    await page.context().close();
  }
});

test('24HR is enabled by 5,670 readings and draws them', async () => {
  double.seed(5669);
  const page = await openPage(browser, server.url);
  const day = page.getByRole('button', { name: '24HR' });
  await until(() => double.realtime.channels === 1);
  expect(await day.isDisabled()).toBe(true);
  double.insert({ co2: 777, voc: 333 });
  await until(() => day.isEnabled());
  await day.click();
  await until(async () =>
    /CO2 between 600 and 777/.test(
      (await page
        .getByRole('img')
        .getAttribute('aria-label')
        .catch(() => '')) ?? '',
    ),
  );
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('a page keeps one connection and one channel across routes', async () => {
  const page = await openPage(browser, server.url);
  await until(() => double.realtime.channels === 1);
  for (const name of ['Post data', 'Chart', 'Dashboard']) {
    await page.getByRole('link', { name }).first().click();
    const joins = double.realtime.joins;
    await until(() => double.realtime.joins > joins && double.realtime.channels === 1);
    expect(double.realtime.sockets).toBe(1);
  }
  double.insert({ co2: 1234, voc: 1 });
  await until(async () => (await tile(page).innerText()).includes('1234'));
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('joins a channel for inserts into the table alone', async () => {
  const page = await openPage(browser, server.url);
  await until(() => double.realtime.channels === 1);
  expect(double.realtime.joinPayloads.at(-1)).toMatchObject({
    config: { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'data' }], private: false },
  });
  await page.context().close();
});

test('the Content-Security-Policy allows connections to the site and its project alone', async () => {
  const policy = (await fetch(server.url)).headers.get('Content-Security-Policy');
  expect(policy).toContain(`connect-src 'self' ${double.url} ${double.url.replace('http', 'ws')};`);
});

test('no page, script or response contains the secret key', async () => {
  double.seed(50);
  const calls = [
    ...PAGES,
    '/?_data=root',
    '/_root.data',
    '/api/data',
    '/api/live',
    '/healthz',
    '/nowhere',
    '/__manifest?p=/',
  ];
  const read = async (path: string, init?: RequestInit) => {
    const answer = await fetch(server.url + path, init);
    return `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
  };
  const answers = await Promise.all(calls.map((path) => read(path)));
  answers.push(await read('/api/data', { method: 'POST', body: '{"co2":1,"voc":1}' }));
  // A project whose error repeats the key.
  double.rest.fault = () => ({ kind: 'answer', status: 500, body: `no such key: ${double.secretKey}` });
  answers.push(...(await Promise.all(calls.map((path) => read(path)))));
  answers.push(await read('/api/data', { method: 'POST', body: '{"co2":1,"voc":1}' }));
  expect(answers.some((text) => text.includes(double.publicKey))).toBe(true);
  const scripts = readdirSync(ASSETS).map((name) => readFileSync(join(ASSETS, name), 'utf8'));
  for (const text of [...answers, ...scripts, server.output()]) {
    expect(text).not.toContain(double.secretKey);
    expect(text).not.toContain(Buffer.from(double.secretKey).toString('base64'));
  }
});

test('answers 503 with Retry-After within 5 s if the project hangs, and calls a post’s outcome unknown', async () => {
  double.seed(10);
  double.rest.fault = () => ({ kind: 'hang', stored: true });
  const begun = performance.now();
  const [read, write, health] = await Promise.all([
    fetch(`${server.url}/api/data`),
    post(server.url, { co2: 1, voc: 1 }),
    fetch(`${server.url}/healthz`),
  ]);
  // The README promises 5 s.
  expect(performance.now() - begun).toBeLessThan(5000);
  for (const answer of [read, write, health]) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  expect(await write.json()).toMatchObject({
    detail: expect.stringContaining('not known whether the reading was stored'),
    mayBeStored: true,
  });
  expect(await health.json()).toMatchObject({ status: 'unavailable', store: 'supabase' });
  double.rest.fault = () => null;
  expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({
    status: 'ok',
    store: 'supabase',
  });
});

test('shows a failed post beside the button, not as stored', async () => {
  const page = await openPage(browser, server.url);
  await until(() => double.realtime.channels === 1);
  double.rest.fault = (method) => (method === 'POST' ? { kind: 'cut', stored: false } : null);
  await page.getByRole('button', { name: 'POST RANDOM DATA' }).click();
  await page.getByText('It is not known whether the reading was stored.').waitFor();
  expect(double.rest.rows).toEqual([]);
  await page.context().close();
});

test('answers 400, not 503, to a value that the project’s own constraint rejects', async () => {
  const message = 'new row for relation "data" violates check constraint "co2_positive"';
  double.rest.fault = () => ({
    kind: 'answer',
    status: 400,
    body: JSON.stringify({ code: '23514', message }),
  });
  const answer = await post(server.url, { co2: -1, voc: 1 });
  expect(answer.status).toBe(400);
  expect((await answer.json()).detail).toContain('co2_positive');
});

test('GET /api/live answers 404 and names the live channel', async () => {
  const answer = await fetch(`${server.url}/api/live`);
  expect(answer.status).toBe(404);
  expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
  expect((await answer.json()).detail).toContain('channel public:data');
});

test('a page that can’t load readings doesn’t claim that there are none', async () => {
  double.seed(5);
  double.rest.fault = () => ({ kind: 'answer', status: 401, body: '{"message":"Invalid API key"}' });
  const page = await openPage(browser, server.url);
  await page.getByText('Supabase refuses the key.').waitFor();
  await page.getByText('Can’t load readings yet.').waitFor();
  expect(await page.getByText('No readings yet').count()).toBe(0);
  double.rest.fault = () => null;
  await page.getByRole('img').waitFor();
  await page.context().close();
});

test('the chart alone shows no older readings, even if the project was unavailable when it opened', async () => {
  double.seed(5);
  double.rest.fault = () => ({ kind: 'answer', status: 401, body: '{"message":"Invalid API key"}' });
  const page = await openPage(browser, `${server.url}/chart`);
  await page.getByText('Supabase refuses the key.').waitFor();
  double.rest.fault = () => null;
  await page.getByText('Supabase refuses the key.').waitFor({ state: 'detached' });
  await page.getByText('Waiting for the next reading.').waitFor();
  double.insert({ co2: 777, voc: 333 });
  await page.getByRole('img', { name: /: one point\..*newest point 777/ }).waitFor();
  await page.context().close();
});

test('the hosted feed is one script of at most 25 kB gzipped, which embedded pages don’t load', async () => {
  const feeds = readdirSync(ASSETS).filter((name) =>
    readFileSync(join(ASSETS, name), 'utf8').includes('/realtime/v1'),
  );
  expect(feeds).toHaveLength(1);
  const [feed] = feeds as [string];
  expect(gzipSync(readFileSync(join(ASSETS, feed))).length).toBeLessThanOrEqual(25_000);

  const embedded = await startServer();
  const load = async (url: string) => {
    const page = await openPage(browser, 'about:blank');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(url);
    // The page fetches what it missed once its feed is loaded.
    await until(() => loaded.some((address) => address.includes('/api/data?')));
    await page.context().close();
    return loaded.filter((address) => /supabase|realtime/i.test(address) || address.endsWith(feed));
  };
  for (const path of PAGES) {
    expect(await load(embedded.url + path)).toEqual([]);
    const html = await (await fetch(embedded.url + path)).text();
    expect(html).not.toMatch(/supabase/i);
  }
  expect((await load(`${server.url}/`)).some((address) => address.endsWith(feed))).toBe(true);
  await embedded.stop();
});

test('exits with 1 and the reason for half a configuration or a secret in a public setting', async () => {
  const half = await runServer({ SUPABASE_URL: double.url });
  expect(half.exitCode).toBe(1);
  expect(half.output).toContain('SUPABASE_PUBLISHABLE_KEY: is missing');
  const exposed = await runServer({ SUPABASE_URL: double.url, SUPABASE_ANON_KEY: double.secretKey });
  expect(exposed.exitCode).toBe(1);
  expect(exposed.output).toContain('SUPABASE_ANON_KEY: is a secret key');
  expect(exposed.output).not.toContain(double.secretKey);
});

test('the server stops with 0 while pages are open', async () => {
  const page = await openPage(browser, server.url);
  await until(() => double.realtime.channels === 1);
  expect(await server.stop()).toBe(0);
  await page.context().close();
  server = await server.restart();
});
