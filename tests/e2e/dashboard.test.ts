import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../support/api';
import { launchChromium } from '../support/chromium';
import { openPage } from '../support/page';
import { type RunningServer, startServer } from '../support/server';
import { until } from '../support/until';

let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchChromium()]);
});

afterAll(async () => {
  await Promise.all([server.stop(), browser.close()]);
});

test('a reading posted by HTTP shows in two open pages at once', async () => {
  const pages = await Promise.all([openPage(browser, server.url), openPage(browser, server.url)]);
  for (const page of pages) await page.getByText('Getting Reading').first().waitFor();
  await post(server.url, { co2: 415, voc: '120' });
  for (const page of pages) {
    const tile = page.getByRole('article', { name: 'CO2' });
    await until(async () => (await tile.innerText()).includes('415'));
    expect(await tile.innerText()).toContain('good');
    expect(page.complaints).toEqual([]);
  }
});
