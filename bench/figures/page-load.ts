import type { Browser } from 'playwright-core';
import { openFreshPage, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { getRequest, HttpConnection } from '../http-connection';
import { seedStore, startProduct, tenMillionReadings } from '../servers';
import { interleave, median, medians } from '../statistics';

const REQUESTS = 100;
const LOADS = 5;
const WARM_UP_ROUNDS = 3;

/** Measures the dashboard's load time with many stored readings, against few. */
export const pageLoad: Measurement = {
  name: 'page-load',
  async measure() {
    const [few, many] = [seedStore(1000), await tenMillionReadings()];
    return withChromium(async (browser) => {
      const visits = await interleave(
        () => visit(browser, many),
        () => visit(browser, few),
      );
      const figure = { unit: 'ms', target: { atMost: 1.15 } };
      return [
        {
          ...figure,
          name: 'first byte of / with 10,000,000 readings, against 1,000',
          ...medians(visits, ({ firstByteMs }) => firstByteMs),
        },
        {
          ...figure,
          name: 'full load of / with 10,000,000 readings, against 1,000',
          ...medians(visits, ({ loadMs }) => loadMs),
        },
      ];
    });
  },
};

/** Measures a visit with a new server. Otherwise a random difference between two processes could exceed the target. */
async function visit(browser: Browser, databasePath: string) {
  const server = await startProduct(databasePath);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await firstByte(server.url);
  const firstByteMs = await firstByte(server.url);
  const loadMs = await fullLoad(browser, server.url);
  await server.stop();
  return { firstByteMs, loadMs };
}

async function firstByte(url: string): Promise<number> {
  const connection = await HttpConnection.open(url);
  const request = getRequest('/');
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) times.push((await connection.send(request)).firstByteMs);
  connection.close();
  return median(times);
}

/** Returns the median time of the load event, with an empty cache. */
async function fullLoad(browser: Browser, url: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    const { page } = await openFreshPage(browser);
    await page.goto(url);
    const loadedAt = await page.waitForFunction(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd,
    );
    times.push(await loadedAt.jsonValue());
    await page.context().close();
  }
  return median(times);
}
