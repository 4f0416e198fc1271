import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatValue } from '../../app/readings/format/format-value';
import { timeAxis } from '../support/browser/canvas';
import { chartOf, tileOf, waitForPoints, waitUntilInteractive } from '../support/browser/dashboard';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { post, readAll } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { GOOD_PAGES, PAGES } from '../support/sources';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000, env: { TZ: 'Pacific/Auckland' } });
});

afterAll(() => server.stop());

/** Returns the time of day in the viewer's zone, in the British format. */
function written(createdAt: string): string {
  return new Date(createdAt).toLocaleTimeString('en-GB', { timeZone: VIEWER.timezoneId });
}

/** A zone with a quarter-hour offset, so far ahead of the server's that the day often differs. */
const VIEWER = { timezoneId: 'Pacific/Chatham', locale: 'en-GB' };

test('a viewer sees times in their own zone, on pages rendered by a server in another zone', async () => {
  const page = await openPage(chromium.browser, `${server.url}/postdata`, VIEWER);
  await waitUntilInteractive(page);
  await page.getByRole('switch').uncheck();
  await post(server.url, { co2: 500, voc: 50 });
  const [newest] = await readAll(server.url, '?limit=1');
  await page.getByRole('cell', { name: written(newest?.created_at ?? '') }).waitFor();

  await page.goto(`${server.url}/chart?range=10MIN`);
  await waitForPoints(page, 10);
  const [first] = await readAll(server.url, '?limit=40');
  const padded = written(first?.created_at ?? '');
  const unpadded = padded.split(':').map(Number).join(':');
  await until(async () => (await timeAxis(page))[0] === unpadded);
  // Read aloud, minutes and seconds have two digits. Shortly after midnight, the text has a date before the time.
  const span = new RegExp(`from (\\d+ \\w+ )?${padded.replace(/^0/, '')} to `);
  expect(await chartOf(page).getAttribute('aria-label')).toMatch(span);
});

const PAGE_TITLES = {
  Dashboard: /^(\d+ PPM, \w+.*|no reading for .*) – airboard$/,
  History: /^History.* – airboard$/,
  Chart: /^Chart – airboard$/,
  'Post data': /^Post data – airboard$/,
};

test('the links in the header and Back lead from page to page without console errors', async () => {
  const page = await openPage(chromium.browser, server.url, VIEWER);
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

/** The longest possible values. */
const LONG_READINGS = [
  { co2: -123456789.12, voc: 1e21 },
  { co2: 1.7976931348623157e308, voc: -1e-7 },
  { co2: 1e21, voc: -123456789.12 },
];

test('at 320 px no page scrolls sideways or logs an error, even with huge values, an error or another zone', async () => {
  const dashboard = await openPage(chromium.browser, server.url, {
    ...VIEWER,
    viewport: { width: 320, height: 640 },
    reducedMotion: 'reduce',
  });
  await chartOf(dashboard).waitFor();
  expect(await dashboard.evaluate(countMoving), 'animated under prefers-reduced-motion').toBe(0);
  const [wall, panel] = [await openTab(dashboard.context()), await openTab(dashboard.context())];
  for (const page of [wall, panel]) await page.setViewportSize({ width: 320, height: 640 });
  const live = { '/': dashboard, '/?wall': wall, '/postdata': panel };
  for (const path of ['/?wall', '/postdata'] as const) await live[path].goto(server.url + path);
  await waitUntilInteractive(panel);
  await panel.getByRole('switch').uncheck();
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
  for (const [path, page] of Object.entries(live)) expect(page.complaints, path).toEqual([]);
  await panel.getByLabel('CO2 reading:').fill('a'.repeat(300));
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  await panel.locator('[aria-invalid=true]').waitFor();
  await expectNoScroll(panel, 'with an error');
  panel.complaints = [];
  for (const path of PAGES.filter((path) => !(path in live))) {
    const isGood = GOOD_PAGES.includes(path);
    // A hydrated page fetches the readings that it may have missed.
    const hydrated = isGood && path !== '/sensors' && dashboard.waitForResponse(/\/api\/data/);
    await dashboard.goto(server.url + path);
    await hydrated;
    await expectNoScroll(dashboard, 'after long values');
    // The browser logs every error response.
    const complaints = dashboard.complaints.splice(0);
    expect(
      complaints.filter((text) => isGood || !/status of 4\d\d/.test(text)),
      path,
    ).toEqual([]);
  }
});

function expectNoScroll(page: Page, when: string): Promise<boolean> {
  return until(() => page.evaluate(() => document.documentElement.scrollWidth <= 320)).catch(() => {
    throw new Error(`${page.url()} scrolls sideways ${when}`);
  });
}

/** Returns the number of elements with an animation or a transition. Runs in a page. */
function countMoving(): number {
  return [...document.querySelectorAll('*')]
    .map((node) => getComputedStyle(node))
    .filter(
      ({ animationName, transitionDuration }) => animationName !== 'none' || transitionDuration !== '0s',
    ).length;
}
