import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { launchChromium } from '../support/chromium';
import { openPage } from '../support/page';
import { type RunningServer, startServer } from '../support/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase-double';
import { until } from '../support/until';

let double: SupabaseDouble;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  double = await startSupabaseDouble();
  [server, browser] = await Promise.all([startServer({ env: double.env }), launchChromium()]);
});

afterAll(async () => {
  await Promise.all([server.stop(), browser.close()]);
  await double.stop();
});

const tile = (page: Page) => page.getByRole('article', { name: 'CO2' });

test('a reading posted by HTTP is stored in the project and shows in two open pages at once', async () => {
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
