import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatValue } from '../../app/readings/format/format-value';
import { post, readAll } from '../support/api';
import { timeAxis } from '../support/canvas';
import { chartOf, tileOf, waitForPoints, waitUntilInteractive } from '../support/dashboard';
import { openPage, openTab, withChromium } from '../support/page';
import { GOOD_PAGES, PAGES } from '../support/routes';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000, env: { TZ: 'Pacific/Auckland' } });
});

afterAll(() => server.stop());

/** Returns the time of day in a time zone, in the British format. */
function written(createdAt: string, timeZone: string): string {
  return new Date(createdAt).toLocaleTimeString('en-GB', { timeZone });
}

/** Half an hour beside UTC, and so far ahead that it often has another day. The server is in neither. */
describe.each(['America/St_Johns', 'Pacific/Kiritimati'])('a viewer in %s', (zone) => {
  test('sees times of that zone, on pages that the server has rendered in its own', async () => {
    const page = await openPage(chromium.browser, `${server.url}/postdata`, {
      timezoneId: zone,
      locale: 'en-GB',
    });
    await waitUntilInteractive(page);
    await page.getByRole('switch').uncheck();
    await post(server.url, { co2: 500, voc: 50 });
    const [newest] = await readAll(server.url, '?limit=1');
    await page.getByRole('cell', { name: written(newest?.created_at ?? '', zone) }).waitFor();

    await page.goto(`${server.url}/chart?range=10MIN`);
    await waitForPoints(page, 10);
    const [first] = await readAll(server.url, '?limit=40');
    const unpadded = written(first?.created_at ?? '', zone)
      .split(':')
      .map(Number)
      .join(':');
    await until(async () => (await timeAxis(page))[0] === unpadded);
    // Shortly after midnight the time follows its day.
    const span = new RegExp(`from (\\d+ \\w+ )?${unpadded} to `);
    expect(await chartOf(page).getAttribute('aria-label')).toMatch(span);
  });
});

test("every page is free of console errors in another time zone than the server's", async () => {
  const page = await openPage(chromium.browser, 'about:blank', { timezoneId: 'Asia/Kathmandu' });
  for (const path of GOOD_PAGES) {
    // A hydrated page fetches what it may have missed.
    await Promise.all([page.waitForResponse(/\/api\/data/), page.goto(server.url + path)]);
    expect(page.complaints, path).toEqual([]);
  }
});

const PAGE_TITLES = {
  Dashboard: /^(\d+ PPM, \w+.*|no reading for .*) – airboard$/,
  History: /^History.* – airboard$/,
  Chart: /^Chart – airboard$/,
  'Post data': /^Post data – airboard$/,
};

test("the header's links and Back lead from page to page without console errors", async () => {
  const page = await openPage(chromium.browser, server.url);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await page.getByText('know when to open a window').waitFor();
  for (const [name, title] of [
    ['Post data', 'Newest readings'],
    ['History', 'CO2 PPM'],
    ['Chart', 'Chart'],
    ['Dashboard', 'Readings'],
    ['Post data', 'Newest readings'],
  ] as const) {
    await pages.getByRole('link', { name }).click();
    await page.getByRole('heading', { name: title, level: 2 }).waitFor();
    await until(async () => PAGE_TITLES[name].test(await page.title()));
    expect(await pages.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
  }
  await page.goBack();
  await page.getByRole('heading', { name: 'Readings', level: 2 }).waitFor();
  await post(server.url, { co2: 777, voc: 77 });
  await tileOf(page, 'CO2').getByText('777').waitFor();
});

/** Values as long as they get. */
const LONG_READINGS = [
  { co2: -123456789.12, voc: 1e21 },
  { co2: 1.7976931348623157e308, voc: -1e-7 },
  { co2: 1e21, voc: -123456789.12 },
];

test('no page scrolls sideways at 320 px, even with huge values or an error', async () => {
  const context = await chromium.browser.newContext({ viewport: { width: 320, height: 640 } });
  const [dashboard, wall, panel] = [await openTab(context), await openTab(context), await openTab(context)];
  const live = { '/': dashboard, '/?wall': wall, '/postdata': panel };
  for (const [path, page] of Object.entries(live)) await page.goto(server.url + path);
  await waitUntilInteractive(panel);
  await panel.getByRole('switch').uncheck();
  const expectNoScroll = (page: Page, when: string) =>
    until(() => page.evaluate(() => document.documentElement.scrollWidth <= 320)).catch(() => {
      throw new Error(`${page.url()} scrolls sideways ${when}`);
    });
  for (const { co2, voc } of LONG_READINGS) {
    await panel.getByLabel('CO2 reading:').fill(String(co2));
    await panel.getByLabel('VOC reading:').fill(String(voc));
    await panel.getByRole('button', { name: 'POST', exact: true }).click();
    const { id } = await until(async () =>
      (await readAll(server.url, '?limit=1')).find((reading) => reading.co2 === co2),
    );
    await panel.getByText(`Stored as reading ${id}`).waitFor();
    for (const page of [dashboard, wall]) await tileOf(page, 'CO2').getByText(formatValue(co2)).waitFor();
    for (const page of Object.values(live)) await expectNoScroll(page, `with ${co2} and ${voc}`);
    for (const tile of await dashboard.getByRole('article').all()) {
      expect(await tile.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
    }
  }
  await panel.getByLabel('CO2 reading:').fill('a'.repeat(300));
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  await panel.locator('[aria-invalid=true]').waitFor();
  await expectNoScroll(panel, 'with an error');
  for (const path of PAGES.filter((path) => !(path in live))) {
    const hydrated = GOOD_PAGES.includes(path) && dashboard.waitForResponse(/\/api\/data/);
    await dashboard.goto(server.url + path);
    await hydrated;
    await expectNoScroll(dashboard, 'after long values');
  }
  for (const page of Object.values(live)) page.complaints.splice(0);
});

test('nothing is animated under prefers-reduced-motion', async () => {
  const page = await openPage(chromium.browser, server.url, { reducedMotion: 'reduce' });
  await chartOf(page).waitFor();
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')]
        .map((node) => getComputedStyle(node))
        .filter(
          ({ animationName, transitionDuration }) => animationName !== 'none' || transitionDuration !== '0s',
        ).length,
  );
  expect(moving).toBe(0);
});
