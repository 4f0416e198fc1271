import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tileOf, waitUntilInteractive } from '../support/browser/dashboard';
import { openPage, type WatchedPage, withChromium } from '../support/browser/page';
import { postAll, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Opens /postdata and stops its automatic readings, so that the test's readings are the only ones. */
async function openPanel(): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, `${server.url}/postdata?sensor=`);
  await waitUntilInteractive(page);
  await page.getByRole('switch').uncheck();
  return page;
}

const newestRow = (page: Page) => page.getByRole('row').nth(1);

test('posts typed values as text, a dashboard shows them as numbers, and an error appears next to its field', async () => {
  const dashboard = await openPage(chromium.browser, server.url);
  await waitUntilInteractive(dashboard);
  const panel = await openPanel();
  const [co2, voc] = ['CO2', 'VOC'].map((name) =>
    panel.getByRole('textbox', { name: `${name} reading:` }),
  ) as [Locator, Locator];
  const button = panel.getByRole('button', { name: 'POST', exact: true });
  const send = async () => {
    const [request] = await Promise.all([
      panel.waitForRequest((sent) => sent.method() === 'POST'),
      button.click(),
    ]);
    return request.postDataJSON();
  };
  await co2.fill(' 1234.5 ');
  await voc.fill('0321');
  expect(await send()).toEqual({ co2: ' 1234.5 ', voc: '0321' });
  await panel.getByText(/^Stored as reading \d+: CO2 1234.5 PPM, VOC 321 PPB/).waitFor();
  expect(await co2.inputValue()).toBe(' 1234.5 ');
  expect((await readAll(server.url, '?limit=1'))[0]).toMatchObject({ co2: 1234.5, voc: 321 });
  await tileOf(dashboard, 'CO2').getByText('1234.5').waitFor();
  await tileOf(dashboard, 'VOC').getByText('321').waitFor();

  const before = (await readAll(server.url)).length;
  await co2.fill('12,5');
  await voc.fill('high');
  expect(await send()).toEqual({ co2: '12,5', voc: 'high' });
  const reasonFor = async (field: Locator) =>
    panel.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).innerText();
  await panel.locator('[aria-invalid=true]').first().waitFor();
  expect(await reasonFor(co2)).toContain('point, not a comma');
  expect(await reasonFor(voc)).toContain('must be a number');
  expect(await co2.inputValue()).toBe('12,5');
  expect((await readAll(server.url)).length).toBe(before);
  // The browser logs every error response.
  expect(panel.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')]);
  await co2.fill('12.5');
  await voc.fill('3');
  await send();
  await panel.getByText(/^Stored as reading \d+: CO2 12.5 PPM/).waitFor();
  expect(await panel.locator('[aria-invalid=true]').count()).toBe(0);
});

test.each([320, 1440])(
  'has equal fields for the metrics of a sensor, and leaves out an empty one, at %i px',
  async (width) => {
    await postAll(server.url, [
      { sensor: 'Climate', temperature: 20, humidity: 40 },
      ...Array.from({ length: 15 }, () => ({ sensor: 'Climate', co2: 640, pm25: 3 })),
    ]);
    const page = await openPage(chromium.browser, `${server.url}/postdata?sensor=Climate`);
    await page.setViewportSize({ width, height: 800 });
    await waitUntilInteractive(page);
    const boxes = page.getByRole('textbox');
    const names = ['CO2', 'PM2.5', 'Temperature', 'Humidity'].map((name) => `${name} reading:`);
    expect(await page.locator('label').filter({ hasText: 'reading:' }).allInnerTexts()).toEqual(names);
    const widths = await boxes.evaluateAll((all) => all.map((box) => box.getBoundingClientRect().width));
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(1);
    expect(Math.min(...widths)).toBeGreaterThan(180);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

    await page.getByRole('textbox', { name: 'Temperature reading:' }).fill('21.5');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'POST'),
      page.getByRole('button', { name: 'POST', exact: true }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ temperature: '21.5', sensor: 'Climate' });
    await page.getByText(/^Stored as reading \d+ of Climate: Temperature 21.5 °C/).waitFor();
    await page.getByRole('textbox', { name: 'Temperature reading:' }).fill('');
    await page.getByRole('button', { name: 'POST', exact: true }).click();
    await page.getByText('Nothing was sent: enter at least one value.').waitFor();
  },
);

test('lists the newest ten readings as they arrive; Reading +1 posts its counters as numbers', async () => {
  await postAll(
    server.url,
    Array.from({ length: 12 }, (_, i) => ({ co2: 700 + i, voc: 40 })),
  );
  const panel = await openPanel();
  expect(await panel.getByRole('row').count()).toBe(11);
  await newestRow(panel).getByRole('cell', { name: '711' }).waitFor();
  await postAll(server.url, [{ co2: 712, voc: 41 }]);
  await newestRow(panel).getByRole('cell', { name: '712' }).waitFor();
  const cells = await panel.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
  expect(cells).toEqual(Array.from({ length: 10 }, (_, i) => String(712 - i)));

  const before = (await readAll(server.url)).length;
  const button = panel.getByRole('button', { name: 'Reading +1' });
  const sent: unknown[] = [];
  panel.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
  await panel.getByText('next: CO2 1, VOC 100').waitFor();
  await button.click();
  await panel.getByText('next: CO2 2, VOC 99').waitFor();
  await panel.getByText(/^Stored as reading \d+: CO2 1 PPM, VOC 100 PPB/).waitFor();
  await button.dblclick();
  await panel.getByText('next: CO2 4, VOC 97').waitFor();
  await until(async () => (await readAll(server.url)).length === before + 3);
  expect(sent).toEqual([
    { co2: 1, voc: 100 },
    { co2: 2, voc: 99 },
    { co2: 3, voc: 98 },
  ]);
});
