import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sharedChromium } from '../support/browser/chromium';
import { waitForPoints } from '../support/browser/dashboard';
import { closePages, openPage, stopAfterTest } from '../support/browser/page';
import { post, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { READING_PAGES } from '../support/sources';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

const ASSETS = 'build/client/assets';

let double: SupabaseDouble;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  double = await startSupabaseDouble();
  const env = { ...double.env, SUPABASE_SECRET_KEY: double.secretKey };
  [server, browser] = await Promise.all([startServer({ env }), sharedChromium()]);
});

afterEach(async ({ task }) => {
  await closePages(browser, { isKept: task.result?.state !== 'fail' });
  await double.reset();
});

afterAll(async () => {
  await server.stop();
  await double.stop();
});

const tile = (page: Page) => page.getByRole('article', { name: 'CO2' });

test('stores a reading posted by HTTP in the project, two open pages show it, and a failed post is not shown as stored', async () => {
  const pages = await Promise.all([openPage(browser, server.url), openPage(browser, server.url)]);
  for (const page of pages) await page.getByText('Getting Reading').first().waitFor();
  await until(() => double.realtime.channels === 2);
  const answer = await post(server.url, { co2: 415, voc: '120' });
  expect(answer.status).toBe(201);
  const stored = await answer.json();
  expect((await double.rows()).at(-1)).toMatchObject({ id: stored.id, co2: 415, voc: 120 });
  expect(await readAll(server.url)).toEqual([stored]);
  for (const page of pages) {
    await until(async () => (await tile(page).innerText()).includes('415'));
    expect(page.complaints).toEqual([]);
  }

  double.rest.fault = (method) => (method === 'POST' ? { kind: 'cut', stored: false } : null);
  const [page] = pages;
  await page.getByRole('button', { name: 'POST RANDOM DATA' }).click();
  await page.getByText('It is not known whether the reading was stored.').waitFor();
  expect(await double.rows()).toHaveLength(1);
});

test('the long history of a slow project arrives in parts, the page is live before the rest, and 5,670 readings enable 24HR', async () => {
  await double.seed(5669);
  double.rest.delayMs = 600;
  const page = await openPage(browser, 'about:blank');
  let rest: 'held' | 'refused' | 'sent' = 'held';
  await page.route('**/api/data?limit=5760', async (route) => {
    await until(() => rest !== 'held');
    const json = { detail: 'Supabase is slow.' };
    // The page may have aborted a delayed request.
    await (rest === 'sent' ? route.continue() : route.fulfill({ status: 503, json })).catch(() => {});
  });
  await page.goto(`${server.url}/?range=1HR`);
  await waitForPoints(page, 12);
  await until(() => double.realtime.channels === 1);
  const day = page.getByRole('button', { name: '24HR' });
  expect(await day.isDisabled()).toBe(true);
  await double.insert({ co2: 777, voc: 333 });
  await tile(page).getByText('777').waitFor();
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
  rest = 'refused';
  await page.getByText('Supabase is slow. Trying again…').waitFor();
  await double.insert({ co2: 778, voc: 333 });
  await tile(page).getByText('778').waitFor();
  expect(await tile(page).innerText()).not.toContain('reconnecting');
  await until(() => day.isEnabled());
  await day.click();
  await waitForPoints(page, 5);
  rest = 'sent';
  await waitForPoints(page, 24);
  await page.getByRole('img', { name: /CO2 between 600 and 778/ }).waitFor();
  await page.getByText('Supabase is slow.').waitFor({ state: 'detached' });
});

test('a page that cannot load readings does not claim that there are none', async () => {
  await double.seed(5);
  double.rest.fault = () => ({ kind: 'answer', status: 401, body: '{"message":"Invalid API key"}' });
  const page = await openPage(browser, server.url);
  await page.getByText('Supabase refuses the key.').waitFor();
  await page.getByText("Can't load readings yet.").waitFor();
  expect(await page.getByText('No readings yet').count()).toBe(0);
  double.rest.fault = () => null;
  // A fault that a person has to fix is retried after half a minute.
  await page.getByRole('img').waitFor({ timeout: 60_000 });
});

test('the chart page shows no older readings, even if the project was unavailable when it opened', async () => {
  await double.seed(5);
  double.rest.fault = () => ({ kind: 'answer', status: 401, body: '{"message":"Invalid API key"}' });
  const page = await openPage(browser, `${server.url}/chart`);
  await page.getByText('Supabase refuses the key.').waitFor();
  double.rest.fault = () => null;
  await page.getByText('Supabase refuses the key.').waitFor({ state: 'detached' });
  await page.getByText('Waiting for the next reading.').waitFor();
  await double.insert({ co2: 777, voc: 333 });
  await page.getByRole('img', { name: /: one point\..*newest point 777/ }).waitFor();
});

test('the hosted feed is one script of at most 25 kB gzipped, which embedded pages do not load', async () => {
  const feeds = readdirSync(ASSETS).filter((name) =>
    readFileSync(join(ASSETS, name), 'utf8').includes('/realtime/v1'),
  );
  expect(feeds).toHaveLength(1);
  const [feed] = feeds as [string];
  expect(gzipSync(readFileSync(join(ASSETS, feed))).length).toBeLessThanOrEqual(25_000);

  const embedded = await startServer();
  stopAfterTest(embedded);
  const page = await openPage(browser, 'about:blank');
  const load = async (url: string) => {
    const loaded: string[] = [];
    const note = (request: Request) => loaded.push(request.url());
    page.on('request', note);
    // The page fetches missed readings once its feed is loaded.
    await Promise.all([page.waitForRequest(/\/api\/data\?/), page.goto(url)]);
    page.off('request', note);
    return loaded.filter((address) => /supabase|realtime/i.test(address) || address.endsWith(feed));
  };
  expect(await load(embedded.url)).toEqual([]);
  for (const path of READING_PAGES) {
    const html = await (await fetch(embedded.url + path)).text();
    expect(html, path).not.toMatch(/supabase/i);
    expect(html, path).not.toContain(feed);
  }
  expect((await load(`${server.url}/`)).some((address) => address.endsWith(feed))).toBe(true);
});

test('a page keeps one connection across routes, with one channel for inserts only, and the server stops with 0', async () => {
  const page = await openPage(browser, server.url);
  await until(() => double.realtime.channels === 1);
  expect(double.realtime.joinPayloads.at(-1)).toMatchObject({
    config: { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'data' }], private: false },
  });
  for (const name of ['Post data', 'Chart', 'Dashboard']) {
    await page.getByRole('link', { name }).first().click();
    const joins = double.realtime.joins;
    await until(() => double.realtime.joins > joins && double.realtime.channels === 1);
    expect(double.realtime.sockets).toBe(1);
  }
  await double.insert({ co2: 1234, voc: 1 });
  await until(async () => (await tile(page).innerText()).includes('1234'));
  expect(page.complaints).toEqual([]);
  // The last test of the file.
  expect(await server.stop()).toBe(0);
});
