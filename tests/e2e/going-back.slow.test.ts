import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartOf, tileOf, waitForPoints, waitUntilInteractive } from '../support/browser/dashboard';
import { openPage, withChromium } from '../support/browser/page';
import { post, postAll } from '../support/server/api';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

let server: RunningServer;
beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000, intervalMs: 15_000, env: { RANDOM_POSTS: 'false' } });
});
afterAll(() => server.stop());

const co2Of = (page: Page, value: number) => tileOf(page, 'CO2').getByText(String(value), { exact: true });

/** Leaves the page by opening another address, and goes back. */
async function leaveAndReturn(page: Page, meanwhile: () => Promise<unknown>): Promise<void> {
  await page.goto(`${server.url}/healthz`);
  await meanwhile();
  await goBack(page);
}

/** A page from the back/forward cache doesn't load. */
const goBack = (page: Page) => page.goBack({ waitUntil: 'commit' });

/** Queries a page until it answers, which it can't while the browser goes back to it. */
const answerOf = <T>(ask: () => Promise<T>) => until(() => ask().catch(() => undefined));

/** Returns the reasons why the browser didn't keep the page in its back/forward cache; null if it did. */
const notKeptBecause = (page: Page) =>
  answerOf(() =>
    page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      const { notRestoredReasons } = navigation?.toJSON() ?? {};
      return JSON.stringify(notRestoredReasons ?? null);
    }),
  );

/** Records in the page that it was shown again. A page that is loaded again loses the record. */
const watchReturn = (page: Page) =>
  page.evaluate(() =>
    addEventListener('pageshow', ({ persisted }) => Object.assign(window, { isKept: persisted })),
  );

async function expectKept(page: Page): Promise<void> {
  expect(await notKeptBecause(page)).toBe('null');
  await answerOf(() => page.evaluate(() => 'isKept' in window && window.isKept === true));
}

describe('with a back/forward cache', () => {
  const chromium = withChromium({ hasBackForwardCache: true });

  test('each page is kept, and the dashboard returns unchanged and catches up', async () => {
    const page = await openPage(chromium.browser, server.url);
    await waitUntilInteractive(page);
    await post(server.url, { co2: 111, voc: 11 });
    await co2Of(page, 111).waitFor();
    await watchReturn(page);
    // Each page with the CO2 of a reading that it shows only if it is live.
    const others: [path: string, co2: number][] = [
      ['/chart', 101],
      ['/chart?range=1HR', 100],
      ['/postdata', 99],
    ];
    for (const [path, co2] of others) {
      await page.goto(server.url + path);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await post(server.url, { co2, voc: 10 });
      await page
        .getByRole('cell', { name: String(co2), exact: true })
        .or(page.getByLabel(new RegExp(`CO2 between ${co2} and`)))
        .first()
        .waitFor();
      await watchReturn(page);
    }
    await page.goto(`${server.url}/healthz`);
    await postAll(server.url, [{ co2: 112, voc: 12 }]);
    for (const path of [...others.map(([path]) => path).reverse(), '/']) {
      await goBack(page);
      expect(page.url()).toBe(server.url + path);
      await expectKept(page);
    }
    await co2Of(page, 112).waitFor();
    expect(await page.getByText('Getting Reading').count()).toBe(0);
    await post(server.url, { co2: 113, voc: 13 });
    await co2Of(page, 113).waitFor();
  });

  test('a page is also kept with the service worker', async () => {
    const page = await openPage(chromium.browser, server.url, { serviceWorkers: 'allow' });
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await post(server.url, { co2: 121, voc: 12 });
    await co2Of(page, 121).waitFor();
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await watchReturn(page);
    await leaveAndReturn(page, () => postAll(server.url, [{ co2: 122, voc: 12 }]));
    await expectKept(page);
    await co2Of(page, 122).waitFor();
  });

  test('a hosted page is kept, subscribes again and catches up', async () => {
    const double: SupabaseDouble = await startSupabaseDouble();
    const hosted = await startServer({ env: { ...double.env, RANDOM_POSTS: 'false' } });
    await double.insert({ co2: 500, voc: 50 });
    const page = await openPage(chromium.browser, hosted.url);
    await until(() => double.realtime.channels === 1);
    await until(async () => (await tileOf(page, 'CO2').getByText(/500/).count()) > 0);
    await watchReturn(page);
    await leaveAndReturn(page, async () => double.insert({ co2: 501, voc: 51 }));
    await expectKept(page);
    await co2Of(page, 501).waitFor();
    await double.insert({ co2: 502, voc: 52 });
    await co2Of(page, 502).waitFor();
    await page.context().close();
    await hosted.stop();
    await double.stop();
  });
});

describe('without a back/forward cache', () => {
  const chromium = withChromium();

  test('going back reloads the page, without an old copy', async () => {
    const page = await openPage(chromium.browser, `${server.url}/postdata`);
    await leaveAndReturn(page, () => post(server.url, { co2: 321, voc: 32 }));
    const { type, bytes } = await answerOf(() =>
      page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return { type: navigation?.type, bytes: navigation?.transferSize };
      }),
    );
    expect(type).toBe('back_forward');
    expect(bytes).toBeGreaterThan(0);
    expect(await page.getByRole('row').nth(1).innerText()).toContain('321');
  });

  test('going back within the app shows the values at once and catches up, and /chart starts empty', async () => {
    const page = await openPage(chromium.browser, `${server.url}/chart`);
    await page.getByText('Waiting for the next reading.').waitFor();
    await post(server.url, { co2: 311, voc: 31 });
    await waitForPoints(page, 1);
    const links = page.getByRole('navigation', { name: 'Pages' });
    await links.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('img', { name: /: \d\d points/ }).waitFor();
    await page.goBack();
    await page.getByText('Waiting for the next reading.').waitFor();
    await links.getByRole('link', { name: 'Dashboard' }).click();
    await chartOf(page).waitFor();
    await post(server.url, { co2: 211, voc: 21 });
    await co2Of(page, 211).waitFor();
    // Records whether the page ever shows its initial state, however briefly.
    await page.evaluate(() => {
      const seen = new MutationObserver(() => {
        if (/Getting Reading/.test(document.body.innerText)) Object.assign(window, { startedOver: true });
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    await links.getByRole('link', { name: 'Post data' }).click();
    await page.getByRole('heading', { name: 'Newest readings' }).waitFor();
    await post(server.url, { co2: 212, voc: 22 });
    await links.getByRole('link', { name: 'Dashboard' }).click();
    await co2Of(page, 212).waitFor();
    await post(server.url, { co2: 213, voc: 23 });
    await co2Of(page, 213).waitFor();
    expect(await page.evaluate(() => 'startedOver' in window)).toBe(false);
  });
});
