import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tileOf, waitUntilInteractive } from '../support/browser/dashboard';
import { waitForHistory } from '../support/browser/history-page';
import { openPage, type WatchedPage, withChromium } from '../support/browser/page';
import { postAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
const BEDROOM = '?sensor=Bedroom';
const KITCHEN = '?sensor=Kitchen';

let server: RunningServer;
beforeAll(async () => {
  // The automatic random posts of an open /postdata would appear in the tables.
  server = await startServer({ env: { RANDOM_POSTS: 'false' } });
});
afterAll(() => server.stop());

/** Values that no earlier test has posted. */
let next = 500;
beforeEach(() => {
  next += 50;
});

/** Posts readings of a sensor one after another, with values from `first`. */
const postFrom = (sensor: string, first: number, count: number) =>
  postAll(
    server.url,
    Array.from({ length: count }, (_, i) => ({ co2: first + i, voc: 100, sensor })),
  );

const showsCo2 = (page: Page, value: number) =>
  tileOf(page, 'CO2').getByText(String(value), { exact: true }).waitFor();

const linkOf = (page: Page, sensor: string) => page.getByRole('link', { name: new RegExp(`^${sensor}\\b`) });

/** Waits until the strip shows these newest values. */
const stripShows = async (page: Page, newest: Record<string, number>) => {
  for (const [sensor, value] of Object.entries(newest)) {
    await page.getByRole('link', { name: new RegExp(`^${sensor} ${value} PPM`) }).waitFor();
  }
};

/** Returns the CO2 values of the table on /postdata, newest first. */
const tableOf = async (page: Page) =>
  (await page.getByRole('row').locator('td:nth-child(2)').allInnerTexts()).map(Number);

const untilTable = (page: Page, values: number[]) =>
  until(async () => String(await tableOf(page)) === String(values));

test('two sensors post at once: four pages show their own readings, and every strip shows both', async () => {
  await Promise.all([postFrom('Bedroom', 400, 3), postFrom('Kitchen', 900, 3)]);
  const open = (path: string) => openPage(chromium.browser, server.url + path);
  const [bedroom, bedroomTable, kitchen, kitchenTable] = await Promise.all([
    open(`/${BEDROOM}`),
    open(`/postdata${BEDROOM}`),
    open(`/${KITCHEN}`),
    open(`/postdata${KITCHEN}`),
  ]);
  await Promise.all([bedroom, kitchen].map(waitUntilInteractive));
  await Promise.all([postFrom('Bedroom', 410, 12), postFrom('Kitchen', 910, 12)]);
  await showsCo2(bedroom, 421);
  await showsCo2(kitchen, 921);
  await untilTable(bedroomTable, [421, 420, 419, 418, 417, 416, 415, 414, 413, 412]);
  await untilTable(kitchenTable, [921, 920, 919, 918, 917, 916, 915, 914, 913, 912]);
  for (const page of [bedroom, bedroomTable, kitchen, kitchenTable])
    await stripShows(page, { Bedroom: 421, Kitchen: 921 });
  await bedroom.getByLabel(/CO2 between 400 and 421 PPM/).waitFor();
  await kitchen.getByLabel(/CO2 between 900 and 921 PPM/).waitFor();
});

describe('a tap on the strip', () => {
  let page: WatchedPage;

  /** Opens a page that shows the bedroom's current reading, `next`. */
  async function openBedroom(search: string): Promise<void> {
    await postFrom('Kitchen', next + 900, 1);
    await postFrom('Bedroom', next - 1, 1);
    page = await openPage(chromium.browser, server.url + search);
    await waitUntilInteractive(page);
    await postFrom('Bedroom', next, 1);
    await showsCo2(page, next);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  }

  const isSameDocument = () => page.evaluate(() => 'isSameDocument' in window);

  test.each([
    ['/', KITCHEN],
    [`/?range=1HR&sensor=Bedroom`, '?range=1HR&sensor=Kitchen'],
  ])(
    'on %s shows another sensor and keeps the range, and going back shows the previous one',
    async (path, search) => {
      await openBedroom(path);
      await linkOf(page, 'Kitchen').click();
      await tileOf(page, 'CO2')
        .getByText(new RegExp(String(next + 900)))
        .waitFor();
      expect(new URL(page.url()).search).toBe(search);
      await postFrom('Kitchen', next + 901, 1);
      await showsCo2(page, next + 901);
      await postFrom('Bedroom', next + 1, 1);
      await stripShows(page, { Bedroom: next + 1, Kitchen: next + 901 });
      await page.goBack();
      await showsCo2(page, next + 1);
      await postFrom('Bedroom', next + 2, 1);
      await showsCo2(page, next + 2);
      expect(await isSameDocument()).toBe(true);
    },
  );
});

/** Posts a reading of each sensor for each of these times. */
const postAt = (times: readonly number[], rooms: Record<string, object>) =>
  postAll(
    server.url,
    times.flatMap((time) =>
      Object.entries(rooms).map(([sensor, values]) => ({
        sensor,
        ...values,
        created_at: new Date(time).toISOString(),
      })),
    ),
  );

test('several rooms are in one chart: chosen by keyboard, with values at the pointer, live, and said if there are none', async () => {
  const noon = Date.parse('2026-02-03T12:00:00Z');
  const times = Array.from({ length: 20 }, (_, i) => noon + i * 60_000);
  await postAt(times, { North: { co2: 700 }, South: { co2: 1300 }, East: { temperature: 20 } });
  const page = await openPage(
    chromium.browser,
    `${server.url}/history?sensor=North&span=day&date=2026-02-03`,
    {
      timezoneId: 'UTC',
    },
  );
  await waitForHistory(page);
  await page.locator('summary').filter({ hasText: 'Add a room' }).focus();
  await page.keyboard.press('Enter');
  await page.getByPlaceholder('Find a room').fill('sou');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.waitForURL(/sensor=North&sensor=South&span=day&date=2026-02-03/);
  await waitForHistory(page);
  await page
    .getByLabel(/^Line chart of 2 rooms.* North between 700 .* South between 1300 and 1300 PPM/)
    .waitFor();
  await page.getByRole('slider', { name: 'Points of the chart' }).focus();
  const tooltip = page.getByRole('tooltip');
  await tooltip.getByText('South 1300 PPM').waitFor();
  expect(await tooltip.getByText('North 700 PPM').count()).toBe(1);
  await page.getByRole('cell', { name: '1300, 12:00' }).waitFor();

  // A later reading of the second room appears without a reload.
  await postAt([noon + 25 * 60_000], { South: { co2: 1700 } });
  await page.getByLabel(/South between 1300 and 1700 PPM/).waitFor();

  await page.goto(`${server.url}/chart?sensor=North&sensor=East&sensor=Nowhere&span=day&date=2026-02-03`);
  await waitForHistory(page);
  await page.getByText("doesn't measure CO2").waitFor();
  await page.getByText('has sent no reading yet').waitFor();
  await page.getByRole('link', { name: 'Remove East' }).click();
  await page.waitForURL(/sensor=North&sensor=Nowhere$/);
});

test('without scripts, rooms are chosen in a form, and their numbers are compared', async () => {
  await postAt([Date.parse('2026-02-04T12:00:00Z')], { North: { co2: 700 }, South: { co2: 1300 } });
  const page = await openPage(chromium.browser, 'about:blank', { javaScriptEnabled: false });
  await page.goto(`${server.url}/history?sensor=North&span=day&date=2026-02-04`);
  await page.getByLabel('South').check();
  await page.getByRole('button', { name: 'Show' }).click();
  expect(new URL(page.url()).searchParams.getAll('sensor')).toEqual(['North', 'South']);
  await page.getByText(/CO2: lowest 700 PPM/).waitFor();
  await page.getByText(/CO2: lowest 1300 PPM/).waitFor();
  await page.goto(`${server.url}/history?sensor=1&sensor=2&sensor=3&sensor=4&sensor=5&sensor=6&sensor=7`);
  await page.getByText('The address names 7 rooms.').waitFor();
  page.complaints.splice(0);
});

test('an invalid sensor name in the address leads to an error page', async () => {
  const answer = await fetch(`${server.url}/?sensor=${'x'.repeat(65)}`);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('400 Unknown sensor');
});

test('a correction that is added on /sensors shows on open pages, and ends there', async () => {
  await postFrom('Cellar', 900, 3);
  const dashboard = await openPage(chromium.browser, `${server.url}/?sensor=Cellar`);
  await showsCo2(dashboard, 902);
  const settings = await openPage(chromium.browser, `${server.url}/sensors?sensor=Cellar`);
  const form = settings.getByRole('form', { name: 'New correction' });
  await form.getByLabel('Offset').fill('-100');
  await form.getByRole('button', { name: 'Add' }).click();
  const list = settings.getByRole('list', { name: 'Corrections' });
  await list.getByText('CO2 by −100 PPM').waitFor();
  await showsCo2(dashboard, 802);
  await tileOf(dashboard, 'CO2')
    .getByText(/^corrected, /)
    .waitFor();
  await dashboard.getByText('Corrected: CO2 by −100 PPM.').waitFor();
  await postFrom('Cellar', 950, 1);
  await showsCo2(dashboard, 850);
  const history = await openPage(chromium.browser, `${server.url}/history?sensor=Cellar`);
  await history.getByRole('heading', { name: 'CO2 PPM, corrected' }).waitFor();
  await list.getByRole('button', { name: 'Remove' }).click();
  await list.waitFor({ state: 'detached' });
  await showsCo2(dashboard, 950);
  expect(await dashboard.getByText(/orrected/).count()).toBe(0);
});
