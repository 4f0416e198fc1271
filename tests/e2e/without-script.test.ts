import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../support/api';
import { openPage, withChromium } from '../support/page';
import { GOOD_PAGES } from '../support/routes';
import { type RunningServer, startServer } from '../support/server';

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

/** Opens a page without JavaScript and returns its visible text. Playwright's text locators skip `noscript`. */
async function readWithoutScript(path: string): Promise<string> {
  const page = await openPage(chromium.browser, server.url + path, { javaScriptEnabled: false });
  return page.locator('body').innerText();
}

const NOTE = 'Live updates, the chart and posting need JavaScript.';

test.each(GOOD_PAGES)('without JavaScript %s says what needs it', async (path) => {
  expect(await readWithoutScript(path)).toContain(NOTE);
});

// The chart without a range starts without readings.
test.each(GOOD_PAGES.filter((path) => path !== '/chart'))(
  'without JavaScript %s shows the newest reading with its units and its time in UTC',
  async (path) => {
    const text = await readWithoutScript(path);
    expect(text).toContain(`Newest reading: CO2 1234.5 PPM, VOC 321 PPB at ${time}.`);
  },
);

test('without JavaScript /postdata lists the newest readings with their times in UTC', async () => {
  const text = await readWithoutScript('/postdata');
  expect(text.replace(/\s+/g, ' ')).toMatch(`${time} 1234.5 321 `);
});

test("without JavaScript no page shows parts that can't work", async () => {
  for (const path of GOOD_PAGES) {
    const page = await openPage(chromium.browser, server.url + path, { javaScriptEnabled: false });
    for (const role of ['textbox', 'switch', 'img'] as const)
      expect(await page.getByRole(role).count()).toBe(0);
    // A popover needs no script.
    expect(await page.getByRole('button').and(page.locator(':not([popovertarget])')).count()).toBe(0);
    expect(await page.locator('body').innerText()).not.toMatch(/Getting Reading|Loading|Waiting/);
  }
});

test('with JavaScript no page shows the note', async () => {
  const page = await openPage(chromium.browser, server.url);
  await page.getByText('Getting Reading').first().waitFor();
  expect(await page.locator('body').innerText()).not.toContain(NOTE);
});
