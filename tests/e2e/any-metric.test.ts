import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import { chartOf, tileOf } from '../support/browser/dashboard';
import { queryOf, waitForHistory } from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import { postAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

const chromium = withChromium();
let server: RunningServer;

const VALUES = {
  co2: 800,
  voc: 120,
  voc_index: 96,
  nox_index: 1,
  hcho: 18,
  co: 1.2,
  no2: 9,
  o3: 12,
  radon: 68,
  pm1: 9.1,
  pm25: 18.4,
  pm4: 20.2,
  pm10: 21,
  temperature: 21.4,
  humidity: 44,
  pressure: 1013.2,
  noise: 38.5,
  light: 240,
};

beforeAll(async () => {
  server = await startServer();
  const now = Date.now();
  await postAll(
    server.url,
    Array.from({ length: 30 }, (_, i) => ({
      ...VALUES,
      created_at: new Date(now - (30 - i) * 15_000).toISOString(),
    })),
  );
});

afterAll(() => server.stop());

const chip = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Metrics of the chart, two at most' }).getByRole('button', { name });

test('a sensor with all metrics has a tile for each, and its chart draws the chosen ones', async () => {
  const page = await openPage(chromium.browser, server.url, { locale: 'en-US' });
  for (const { name } of METRICS) await tileOf(page, name).first().waitFor();
  await page.getByText('Filter the air, or ventilate if the air outside is better.').waitFor();
  // In the format of the locale, on the server and in the browser.
  expect(await tileOf(page, 'Temperature').innerText()).toContain('70.5');

  await chip(page, /^PM2\.5/).click();
  await chip(page, /^Temperature/).click();
  await chartOf(page)
    .and(page.getByLabel(/PM2\.5 between 18\.4 and 18\.4 µg\/m³.*Temperature between 70\.5 and 70\.5 °F/))
    .waitFor();
  expect(queryOf(page)).toEqual({ metrics: 'pm25,temperature' });
  expect(await chip(page, /^Temperature/).evaluate((button) => button === document.activeElement)).toBe(true);

  await page.goto(`${server.url}/history?metrics=pm25,humidity`);
  await waitForHistory(page);
  await chartOf(page)
    .and(page.getByLabel(/PM2\.5 between .* Humidity between .* comfortable from 30 to 60 %/))
    .waitFor();
  const humidity = page.getByRole('region', { name: 'Humidity %' });
  await humidity.getByText('outside 30 to 60 % never').waitFor();
  await page
    .getByRole('group', { name: 'Metric', exact: true })
    .getByRole('button', { name: 'Humidity' })
    .click();
  await page.getByText(/^Highest: .*average 44 %/).waitFor();

  await page.goto(`${server.url}/?wall&metrics=temperature`);
  await chartOf(page)
    .and(page.getByLabel(/^Line chart.*Temperature between/))
    .waitFor();
  expect(await chip(page, /CO2/).count()).toBe(0);
});
