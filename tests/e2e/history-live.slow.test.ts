import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartOf, linkTo } from '../support/browser/dashboard';
import { numbersOf, queryOf, spanLink, waitForHistory } from '../support/browser/history-page';
import { openPage, openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** A view of an hour that ends 15 minutes from now. Unlike a day, it includes a test's readings around midnight. */
function aroundNow(): string {
  const now = Date.now();
  const [from, to] = [now - 2_700_000, now + 900_000].map((time) => new Date(time).toISOString());
  return `?from=${from}&to=${to}`;
}

/** Stops the clock of a tab, which then moves only when the test says so. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

/** Opens a tab with a clock that tests can move forward. */
async function openTabWithClock(): Promise<WatchedPage> {
  const page = await openTab(await chromium.browser.newContext());
  await page.clock.install();
  return page;
}

const says = (page: Page, text: string | RegExp) =>
  until(async () => {
    const label = (await chartOf(page).getAttribute('aria-label')) ?? '';
    return typeof text === 'string' ? label.includes(text) : text.test(label);
  });

const highest = (page: Page) =>
  numbersOf(page, 'CO2')
    .getByText(/^highest/)
    .locator('..');

test('shows that there are no readings yet while the store is empty', async () => {
  // The tests below add sensors.
  const page = await openPage(chromium.browser, `${server.url}/history`);
  await page.getByText('No readings yet. Post the first one.').waitFor();
  expect(await page.getByRole('region').count()).toBe(1);
});

test('while now is in view, the chart, the numbers and the table show new readings, and late ones at their time', async () => {
  const sensor = await addSensor(server, evenReadings(100));
  const page = await openTabWithClock();
  await page.goto(`${server.url}/history${aroundNow()}&sensor=${sensor}`);
  await waitForHistory(page);
  await says(page, 'CO2 between 600 and 649 PPM');
  await highest(page).getByText('649').waitFor();
  const newestHour = page.getByRole('table').first().locator('a[data-time]').last();
  const average = await newestHour.getAttribute('aria-label');
  await post(server.url, { co2: 1777, voc: 210, sensor });
  await says(page, 'CO2 between 600 and 1777 PPM');
  // Numbers and the table are requested less often than the chart.
  await page.clock.fastForward(15_000);
  await highest(page).getByText('1777').waitFor();
  await until(async () => (await newestHour.getAttribute('aria-label')) !== average);
  const created_at = new Date(Date.now() - 2_400_000).toISOString();
  await post(server.url, { co2: 1888, voc: 210, created_at, sensor });
  await says(page, 'CO2 between 600 and 1888 PPM');
});

test('updates the numbers and the time before the first reading together', async () => {
  const sensor = await addSensor(server, evenReadings(40));
  const page = await openTabWithClock();
  await page.goto(`${server.url}/history${aroundNow()}&sensor=${sensor}`);
  await waitForHistory(page);
  const card = page.getByRole('region', { name: 'CO2 PPM' });
  await card.getByText('before the first reading').waitFor();
  const shown = () => card.getByRole('list').first().innerText();
  const counted = await shown();
  expect(counted).toMatch(/35 min before the first reading/);
  await stopClock(page);
  const created_at = new Date(Date.now() - 2_400_000).toISOString();
  await post(server.url, { co2: 1888, voc: 210, created_at, sensor });
  // The chart shows the late reading before the numbers do.
  await until(async () => {
    await page.clock.runFor(100);
    return ((await chartOf(page).getAttribute('aria-label')) ?? '').includes('and 1888 PPM');
  });
  expect(await shown()).toBe(counted);
  await page.clock.fastForward(15_000);
  await page.clock.resume();
  await until(async () => /(4 min|5 min).* before the first reading/.test(await shown()));
});

test('shows an error for numbers or a span that cannot be fetched, until they load', async () => {
  const sensor = await addSensor(server, evenReadings(100));
  const page = await openTabWithClock();
  const isBusy = { summary: true, pattern: false, history: false };
  for (const [name, address] of Object.entries({
    summary: /\/api\/summary\?/,
    pattern: /\/api\/pattern\?/,
    history: /\/api\/history\?/,
  }))
    await page.route(address, (route) =>
      isBusy[name as keyof typeof isBusy]
        ? route.fulfill({ status: 503, json: { detail: 'The store is busy.' } })
        : route.continue(),
    );
  const words = page.getByText("Can't load all numbers yet. The store is busy. Trying again…");
  const hour = page.getByRole('table').first().locator('a[data-time]').first();
  await page.goto(`${server.url}/history${aroundNow()}&sensor=${sensor}`);
  await words.waitFor();
  await hour.waitFor();
  isBusy.summary = false;
  await page.clock.fastForward(5000);
  await words.waitFor({ state: 'detached' });
  await highest(page).getByText('649').waitFor();

  Object.assign(isBusy, { pattern: true, history: true });
  await spanLink(page, 'month').click();
  await page.getByRole('alert').getByText('The store is busy. Trying again…').waitFor();
  isBusy.history = false;
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await waitForHistory(page);
  await words.waitFor();
  isBusy.pattern = false;
  await page.clock.fastForward(5000);
  await words.waitFor({ state: 'detached' });
  await hour.waitFor();
  page.complaints.splice(0);
});

test('readings of another sensor change nothing, and its link in the strip shows its history', async () => {
  const created_at = new Date(Date.now() - 60_000).toISOString();
  await post(server.url, [
    { sensor: 'Kitchen', co2: 700, voc: 90, created_at },
    { sensor: 'Bedroom', co2: 800, voc: null, created_at },
  ]);
  const page = await openPage(chromium.browser, `${server.url}/history${aroundNow()}&sensor=Kitchen`);
  await waitForHistory(page);
  await says(page, /of Kitchen .*newest point 700/);
  await post(server.url, { co2: 1999, voc: null, sensor: 'Bedroom' });
  await page.getByRole('navigation', { name: 'Sensors' }).getByText('1999 PPM').waitFor();
  await says(page, /of Kitchen .*newest point 700/);
  await page.getByRole('link', { name: /^Bedroom/ }).click();
  await says(page, /of Bedroom .*CO2 between 800 and 1999 PPM/);
  expect(queryOf(page)).toMatchObject({ sensor: 'Bedroom' });
  await numbersOf(page, 'VOC').getByText('not measured').waitFor();
});

test('readings missed while the server was away appear once it is back', async () => {
  const sensor = await addSensor(server, evenReadings(100));
  const page = await openPage(chromium.browser, `${server.url}/history${aroundNow()}&sensor=${sensor}`);
  await waitForHistory(page);
  await server.stop();
  await page.getByText('Reconnecting…').waitFor();
  // Earlier readings are still shown.
  await says(page, 'CO2 between 600 and 649 PPM');
  server = await server.restart();
  await post(server.url, { co2: 1666, voc: 210, sensor });
  await says(page, 'CO2 between 600 and 1666 PPM');
  await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
  page.complaints.splice(0);
});

test('with several sensors, the address of another span names the sensor', async () => {
  for (let sensors = 0; sensors < 2; sensors++) await addSensor(server, evenReadings(3));
  const page = await openPage(chromium.browser, `${server.url}/history`);
  await waitForHistory(page);
  await until(() => 'sensor' in queryOf(page));
  expect(Object.keys(queryOf(page))).toEqual(['sensor']);
  const label = (await chartOf(page).getAttribute('aria-label')) ?? '';
  const sensor = /of ([\w-]+)/.exec(label)?.[1];
  const hour = page.getByRole('table').first().locator('a[data-time]').last();
  expect(await hour.getAttribute('href')).toContain(`sensor=${sensor}`);
  await page.getByRole('button', { name: 'Earlier' }).click();
  // The page changes after its address does, here and when going back.
  const hasDate = async () => (await spanLink(page, 'week').getAttribute('href'))?.includes('date=');
  await until(hasDate);
  expect(queryOf(page)).toMatchObject({ sensor });
  await page.goBack();
  await until(async () => !(await hasDate()));
  await spanLink(page, 'week').click();
  await until(() => 'span' in queryOf(page));
  expect(queryOf(page)).toEqual({ span: 'week', sensor });
});

test('while the history of another sensor loads, the chart names its sensor and keeps its hidden lines', async () => {
  const [one, other] = [
    await addSensor(server, evenReadings(100)),
    await addSensor(server, evenReadings(40)),
  ];
  const page = await openTabWithClock();
  await page.goto(`${server.url}/history${aroundNow()}&sensor=${one}`);
  await waitForHistory(page);
  const line = page.getByRole('button', { name: 'CO2 (PPM)' });
  await line.click();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/history\?/, async (route) => {
    await answered;
    await route.continue();
  });
  await stopClock(page);
  await linkTo(page, other).click();
  await page.locator('[aria-busy=true] > [data-step]').waitFor();
  await says(page, `of ${one}`);
  await page.clock.fastForward(400);
  await page.clock.resume();
  await says(page, `of ${other}, still loading`);
  await page.getByText('Loading readings…').waitFor();
  answer();
  await says(page, new RegExp(`of ${other} from`));
  expect(await line.getAttribute('aria-pressed')).toBe('false');
});
