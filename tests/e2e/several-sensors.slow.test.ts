import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tileOf, waitUntilInteractive } from '../support/browser/dashboard';
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

test('an invalid sensor name in the address leads to an error page', async () => {
  const answer = await fetch(`${server.url}/?sensor=${'x'.repeat(65)}`);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('400 Unknown sensor');
});
