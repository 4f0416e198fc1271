import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntilInteractive } from '../support/browser/dashboard';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const KEY = 'correct-horse-battery';
const chromium = withChromium();
let server: RunningServer;

const keyField = (page: Page) => page.getByLabel(/write key/);
const randomButton = (page: Page) => page.getByRole('button', { name: 'POST RANDOM DATA' });

async function enterKey(page: Page, key: string): Promise<void> {
  await keyField(page).fill(key);
  await page.getByRole('button', { name: 'Remember the key' }).click();
}

beforeAll(async () => {
  server = await startServer({ env: { WRITE_KEY: KEY } });
});

afterAll(() => server.stop());

test('a visitor without the key sees no button to post, and nothing is posted automatically', async () => {
  const before = await readAll(server.url);
  const context = await chromium.browser.newContext();
  await context.clock.install();
  const [dashboard, panel] = [await openTab(context), await openTab(context)];
  const posts: string[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url());
  });
  await Promise.all([dashboard.goto(server.url), panel.goto(`${server.url}/postdata`)]);
  await keyField(panel).waitFor();
  await waitUntilInteractive(dashboard);
  expect(await randomButton(dashboard).count()).toBe(0);
  expect(await panel.getByRole('switch').count()).toBe(0);
  await context.clock.runFor(60_000);
  expect(posts).toEqual([]);
  expect(await readAll(server.url)).toEqual(before);
});

test('asks for the key once and remembers it in this browser alone', async () => {
  const before = (await readAll(server.url)).length;
  const page = await openPage(chromium.browser, `${server.url}/postdata`);
  await enterKey(page, `  ${KEY} `);
  await page.getByLabel('CO2 reading:').fill('415');
  await page.getByLabel('VOC reading:').fill('120');
  await page.getByRole('button', { name: 'POST', exact: true }).click();
  await page.getByText(/^Stored as reading/).waitFor();
  expect((await readAll(server.url)).slice(before)).toMatchObject([{ co2: 415, voc: 120 }]);

  await page.goto(server.url);
  await randomButton(page).click();
  await until(async () => (await readAll(server.url)).length === before + 2);
  await page.getByRole('link', { name: 'Post data' }).first().click();
  await page.getByRole('switch').waitFor();
  expect(await keyField(page).count()).toBe(0);

  const other = await openPage(chromium.browser, `${server.url}/postdata`);
  await keyField(other).waitFor();
});

/** Another word, letters outside ASCII, text that no header can carry, the key twice, and thousands of letters. */
const WRONG_KEYS = ['wrong', 'schlüssel', 'ключ 🔑', `${KEY} ${KEY}`, 'x'.repeat(5000)];

test('rejects and forgets a wrong key, also on the dashboard, and stores nothing', async () => {
  const before = await readAll(server.url);
  const page = await openPage(chromium.browser, `${server.url}/postdata`);
  for (const key of WRONG_KEYS) {
    await enterKey(page, key);
    await page.getByRole('button', { name: 'Reading +1' }).click();
    await page.getByRole('alert').filter({ hasText: "isn't a valid write key" }).waitFor();
    await keyField(page).waitFor();
    expect(await page.evaluate(() => Object.values(localStorage).join())).not.toContain(key);
    expect(await readAll(server.url), key.slice(0, 50)).toEqual(before);
  }

  // The dashboard reports one that was remembered and no longer works.
  await enterKey(page, 'last-year');
  await page.getByRole('switch').waitFor();
  await page.goto(server.url);
  await randomButton(page).click();
  await page.getByRole('alert').filter({ hasText: "isn't a valid write key" }).waitFor();
  expect(await randomButton(page).count()).toBe(0);
  await page.getByRole('link', { name: 'Enter it again' }).click();
  await keyField(page).waitFor();
  // The browser logs each 401.
  page.complaints = page.complaints.filter((text) => !text.includes('401'));
});
