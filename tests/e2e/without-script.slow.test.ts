import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { GOOD_PAGES, isOfRooms } from '../support/sources';

const chromium = withChromium();
let server: RunningServer;
let time: string;

beforeAll(async () => {
  server = await startServer();
  await post(server.url, { co2: 400, voc: 100 });
  const response = await post(server.url, { co2: 1234.5, voc: 321 });
  const { created_at } = (await response.json()) as { created_at: string };
  time = `${created_at.slice(0, 10)} ${created_at.slice(11, 19)} UTC`;
});

afterAll(() => server.stop());

/** Each page as it looks without JavaScript, by its path. */
const pages: Record<string, { text: string; controls: number }> = {};

beforeAll(async () => {
  // One tab for all pages: without scripts, a page leaves nothing that affects the next one.
  const context = await chromium.browser.newContext({ javaScriptEnabled: false });
  const page = await openTab(context);
  for (const path of GOOD_PAGES) {
    await page.goto(server.url + path);
    // Playwright's text locators skip `noscript`.
    const text = await page.locator('body').innerText();
    let controls = 0;
    for (const role of ['textbox', 'switch', 'img'] as const) controls += await page.getByRole(role).count();
    // A popover needs no script.
    controls += await page.getByRole('button').and(page.locator(':not([popovertarget])')).count();
    pages[path] = { text, controls };
  }
  expect(page.complaints).toEqual([]);
  await context.close();
});

const NOTE = 'Live updates, the chart and posting need JavaScript.';
const NOTE_OF_ROOMS = 'need JavaScript.';

test.each(GOOD_PAGES)('without JavaScript %s names the features that need it', (path) => {
  expect(pages[path]?.text).toContain(isOfRooms(path) ? NOTE_OF_ROOMS : NOTE);
});

// The chart without a range starts without readings.
test.each(GOOD_PAGES.filter((path) => path !== '/chart' && !isOfRooms(path)))(
  'without JavaScript %s shows the newest reading with its units and its time in UTC',
  (path) => {
    expect(pages[path]?.text).toContain(`Newest reading: CO2 1234.5 PPM, VOC 321 PPB at ${time}.`);
  },
);

test('without JavaScript /postdata lists the newest readings with their times in UTC', () => {
  expect(pages['/postdata']?.text.replace(/\s+/g, ' ')).toMatch(`${time} 1234.5 321 `);
});

test('without JavaScript /history has the numbers of its span, with times in UTC', async () => {
  const text = pages['/history']?.text.replace(/\s+/g, ' ');
  expect(text).toMatch(/Numbers from [-\d]{10} [:\d]{8} UTC to [-\d]{10} [:\d]{8} UTC/);
  expect(text).toMatch(
    /CO2: lowest 400 PPM at [-:\d ]+ UTC, average 817 PPM, highest 1234.5 PPM at [-:\d ]+ UTC; /,
  );
  expect(text).toMatch(/VOC: lowest 100 PPB at [^,]+, average 21\d(\.5)? PPB, highest 321 PPB/);

  const earlier = await (await fetch(`${server.url}/history?span=day&date=2020-02-29`)).text();
  expect(earlier).toMatch(/Numbers from 2020-02-29/);
  expect(earlier).toContain('no readings');
  const part = '?from=2020-02-01T00:00:00Z&to=2050-01-01T00:00:00Z';
  expect(await (await fetch(`${server.url}/history${part}`)).text()).toContain('average 817 PPM');
});

test('without JavaScript /history lists the newest readings, links to all as CSV, and has no empty numbers', () => {
  const text = pages['/history']?.text.replace(/\s+/g, ' ');
  expect(text).toContain(`${time}: CO2 1234.5 PPM, VOC 321 PPB `);
  expect(text).toContain('All readings as CSV');
  expect(text).not.toContain('–');
});

test.each(GOOD_PAGES)('without JavaScript %s hides features that cannot work', (path) => {
  expect(pages[path]?.controls).toBe(0);
  expect(pages[path]?.text).not.toMatch(/Getting Reading|Loading|Waiting/);
});

test('with JavaScript no page shows the note', async () => {
  const page = await openPage(chromium.browser, server.url);
  await page.getByText('good', { exact: true }).first().waitFor();
  expect(await page.locator('body').innerText()).not.toContain(NOTE);
});
