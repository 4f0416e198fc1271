import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { type RunningServer, startServer } from '../support/server/server';

const chromium = withChromium();
let server: RunningServer;
let before: BrowserContext;
/** A page without scripts of its own, which loads faster. */
let address: string;

beforeAll(async () => {
  server = await startServer();
  address = `${server.url}/healthz`;
});

afterAll(() => server.stop());

test('a visitor may leave anything behind', async () => {
  const page = await openPage(chromium.browser, address);
  before = page.context();
  await page.evaluate(() => {
    localStorage.setItem('left', 'behind');
    sessionStorage.setItem('left', 'behind');
  });
  await before.addCookies([{ name: 'left', value: 'behind', url: server.url }]);
  await (await openTab(before)).goto(address);
  await page.route('**', (route) => route.abort());
  await before.setOffline(true);
});

test('the next one has the same browser context and finds nothing', async () => {
  const page = await openPage(chromium.browser, address);
  expect(page.context()).toBe(before);
  expect(before.pages()).toEqual([page]);
  const left = await page.evaluate(() => [
    localStorage.length,
    sessionStorage.getItem('left'),
    document.cookie,
    history.length,
  ]);
  expect(left).toEqual([0, null, '', 2]);
});

test('installs no script in a context that later tests use', async () => {
  const page = await openPage(chromium.browser, 'about:blank');
  expect(() => page.addInitScript(() => {})).toThrow('open a tab of a new context');
  expect(() => page.clock.install()).toThrow('open a tab of a new context');
});
