import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartOf, waitForPoints } from '../support/browser/dashboard';
import { openPage, withChromium } from '../support/browser/page';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000, env: { RANDOM_POSTS: 'false' } });
});

afterAll(() => server.stop());

const isFullScreen = (page: Page) => page.evaluate(() => document.fullscreenElement !== null);
const button = (page: Page) => page.getByRole('button', { name: 'Full screen' });
const untilOnWall = (page: Page) => page.getByRole('banner').waitFor({ state: 'hidden' });
const untilUsual = (page: Page) => page.getByRole('banner').waitFor();

test.each(['/', '/chart?range=1HR'])(
  '%s opens its wall on the full screen, and Back leaves both; without a full screen it opens in the window',
  async (path) => {
    const page = await openPage(chromium.browser, server.url + path);
    await chartOf(page).waitFor();
    const scripts = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const before = await scripts();
    expect(before.filter((name) => /\/wall-/.test(name))).toEqual([]);
    await button(page).click();
    await untilOnWall(page);
    await until(() => isFullScreen(page));
    expect((await scripts()).filter((name) => /\/wall-/.test(name))).toHaveLength(1);
    expect(page.url()).toBe(`${server.url}${path}${path.includes('?') ? '&' : '?'}wall`);
    await chartOf(page).waitFor();
    await page.goBack();
    await untilUsual(page);
    await until(async () => !(await isFullScreen(page)));
    expect(page.url()).toBe(server.url + path);

    // As on an iPhone, the wall fills the window then.
    await page.evaluate(() => {
      Object.assign(Element.prototype, { requestFullscreen: undefined });
    });
    await button(page).click();
    await untilOnWall(page);
    expect(await isFullScreen(page)).toBe(false);
  },
);

test('leaving the full screen leaves the wall, and keeps the range and the readings', async () => {
  const page = await openPage(chromium.browser, `${server.url}/?range=1HR`);
  await waitForPoints(page, 12);
  await button(page).click();
  await untilOnWall(page);
  await until(() => isFullScreen(page));
  await waitForPoints(page, 12);
  await page.evaluate(() => document.exitFullscreen());
  await untilUsual(page);
  expect(page.url()).toBe(`${server.url}/?range=1HR`);
  await waitForPoints(page, 12);
  // Forward leads to the wall again, in the window.
  await page.goForward();
  await untilOnWall(page);
  expect(await isFullScreen(page)).toBe(false);
  await page.keyboard.press('Escape');
  await untilUsual(page);
});

test('a wall opened by its address stays in the window, and Escape leaves it; another page has no wall', async () => {
  const page = await openPage(chromium.browser, `${server.url}/?range=1HR&wall`);
  await waitForPoints(page, 12);
  expect(await isFullScreen(page)).toBe(false);
  await page.keyboard.press('Escape');
  await untilUsual(page);
  expect(page.url()).toBe(`${server.url}/?range=1HR`);
  // A page without a wall has no such button.
  await page.getByRole('link', { name: 'Post data' }).click();
  await page.getByRole('heading', { name: 'Newest readings' }).waitFor();
  expect(await button(page).count()).toBe(0);
});
