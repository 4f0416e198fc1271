import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForPoints, waitUntilInteractive } from '../support/dashboard';
import { openPage, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { filesBelow } from '../support/sources';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(5);
});

afterAll(() => server.stop());

const fromPostData = async (page: Page) => {
  await waitUntilInteractive(page);
  await page.getByRole('link', { name: 'Dashboard' }).click();
};
const fromWall = async (page: Page) => {
  await waitForPoints(page, 5);
  await page.keyboard.press('Escape');
};

test.each([
  ['/', waitUntilInteractive],
  ['/postdata', fromPostData],
  ['/?wall', fromWall],
])('the guide to the numbers has its text on the dashboard after opening %s', async (path, goOn) => {
  const page = await openPage(chromium.browser, server.url + path);
  await goOn(page);
  await page.getByRole('button', { name: 'What do the numbers mean?' }).click();
  const guide = page.getByRole('region', { name: 'What the numbers mean' });
  await guide.getByText('German Environment Agency').waitFor();
  expect(await guide.innerText()).toContain('below 1000 PPM is good, below 2000 moderate');
});

test('a browser that does not know popovers shows the guide on the dashboard, and not on a wall', async () => {
  const page = await openPage(chromium.browser, `${server.url}/?wall`);
  await waitForPoints(page, 5);
  const text = page.getByText('German Environment Agency');
  await text.evaluate((element) => element.closest('section')?.removeAttribute('popover'));
  expect(await text.isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await waitUntilInteractive(page);
  expect(await text.isVisible()).toBe(true);
});

test('no script has the text of the guide', () => {
  const scripts = filesBelow('build/client').filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((path) => readFileSync(path, 'utf8').includes('Umweltbundesamt'))).toEqual([]);
});
