import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { timeAxis, watchCanvas } from '../support/canvas';
import { chartOf, tileOf, waitForPoints, waitUntilInteractive } from '../support/dashboard';
import { openPage, openTab, withChromium } from '../support/page';
import { GOOD_PAGES, PAGES } from '../support/routes';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  // A time zone that none of the viewers below shares.
  server = await startServerWith(300, { endMs: 5000, env: { TZ: 'Pacific/Auckland' } });
});

afterAll(() => server.stop());

/** Returns the time of day in a time zone, in the British format. */
function written(createdAt: string, timeZone: string): string {
  return new Date(createdAt).toLocaleTimeString('en-GB', { timeZone });
}

describe.each(['America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'UTC'])(
  'a viewer in %s',
  (zone) => {
    test('gets every page without console errors, with times of that zone', async () => {
      const context = await chromium.browser.newContext({ timezoneId: zone, locale: 'en-GB' });
      await watchCanvas(context);
      const page = await openTab(context);
      for (const path of [...GOOD_PAGES.filter((path) => path !== '/postdata'), '/postdata']) {
        // A hydrated page fetches what it may have missed.
        await Promise.all([page.waitForResponse(/\/api\/data/), page.goto(server.url + path)]);
        expect(page.complaints, path).toEqual([]);
      }
      await post(server.url, { co2: 500, voc: 50 });
      const [newest] = await readAll(server.url, '?limit=1');
      await page.getByRole('cell', { name: written(newest?.created_at ?? '', zone) }).waitFor();
      await page.getByRole('switch').uncheck();

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
  },
);

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

test('no page scrolls sideways at 320 px, even with huge values or an error', async () => {
  const context = await chromium.browser.newContext({ viewport: { width: 320, height: 640 } });
  const tabs = await Promise.all(
    PAGES.map(async (path) => {
      const page = await openTab(context);
      await page.goto(server.url + path);
      return page;
    }),
  );
  const panel = tabs[PAGES.indexOf('/postdata')];
  if (!panel) throw new Error('no panel');
  await waitUntilInteractive(panel);
  await panel.getByRole('switch').uncheck();
  const readings = [
    { co2: 415, voc: 120 },
    { co2: -123456789.12, voc: 1e21 },
    { co2: 1.7976931348623157e308, voc: -1e-7 },
    { co2: 1e21, voc: -123456789.12 },
  ];
  for (const { co2, voc } of readings) {
    await panel.getByLabel('CO2 reading:').fill(String(co2));
    await panel.getByLabel('VOC reading:').fill(String(voc));
    await panel.getByRole('button', { name: 'POST', exact: true }).click();
    const { id } = await until(async () =>
      (await readAll(server.url, '?limit=1')).find((reading) => reading.co2 === co2),
    );
    await panel.getByText(`Stored as reading ${id}`).waitFor();
    for (const [i, page] of tabs.entries()) {
      await until(() => page.evaluate(() => document.documentElement.scrollWidth <= 320)).catch(() => {
        throw new Error(`${PAGES[i]} scrolls sideways with ${co2} and ${voc}`);
      });
    }
    for (const tile of (await tabs[0]?.getByRole('article').all()) ?? []) {
      expect(await tile.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
    }
  }
  await panel.getByLabel('CO2 reading:').fill('a'.repeat(300));
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  await panel.locator('[aria-invalid=true]').waitFor();
  expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  for (const page of tabs) page.complaints.splice(0);
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
