import type { CDPSession, Page } from 'playwright-core';
import { openFreshPage, withChromium } from '../chromium';
import type { Figure, Measurement } from '../figure';
import { HttpConnection, postRequest } from '../http-connection';
import { startProduct } from '../servers';
import { median } from '../statistics';

/** The number of posts after which the pages have to catch up. */
const BATCH = 250;
/** The number of pages open at once, each in its own browser context. */
const PAGES = 5;
const EARLY = 6000;
const LATE = 20_000;
const TARGET = { atMost: 1.1 };

/** Measures the memory growth of an open page that receives readings. */
export const openPage: Measurement = {
  name: 'open-page',
  async measure() {
    const server = await startProduct();
    const connection = await HttpConnection.open(server.url);
    const [early, late] = await withChromium(async (browser) => {
      const opened = await Promise.all(Array.from({ length: PAGES }, () => openFreshPage(browser)));
      const pages = opened.map(({ page }) => page);
      for (const page of pages) {
        await page.goto(server.url);
        await page.getByText('Getting Reading').first().waitFor();
      }
      const measure = () => Promise.all(opened.map(({ devtools }) => memoryOf(devtools)));
      await post(connection, pages, 0, EARLY);
      const early = await measure();
      await post(connection, pages, EARLY, LATE);
      return [early, await measure()];
    });
    connection.close();
    await server.stop();
    const figures: Figure[] = [];
    for (const [what, unit] of [
      ['heap', 'MiB'],
      ['nodes', ''],
    ] as const) {
      figures.push({
        name: `page open over ${LATE} readings, against ${EARLY}: ${what === 'heap' ? 'JavaScript heap' : 'DOM nodes'}`,
        unit,
        value: median(late.map((page) => page[what])),
        baseline: median(early.map((page) => page[what])),
        target: TARGET,
      });
    }
    return figures;
  },
};

/** Posts readings with rising values, and waits for the pages to show them. */
async function post(connection: HttpConnection, pages: Page[], from: number, to: number): Promise<void> {
  const tiles = pages.map((page) => page.getByRole('article', { name: 'CO2' }));
  for (let posted = from; posted < to; ) {
    for (let i = 0; i < BATCH && posted < to; i++) {
      posted += 1;
      await connection.send(postRequest({ co2: posted, voc: 120 }));
    }
    await Promise.all(tiles.map((tile) => tile.getByText(String(posted), { exact: true }).waitFor()));
  }
}

async function memoryOf(devtools: CDPSession): Promise<{ heap: number; nodes: number }> {
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes } = await devtools.send('Memory.getDOMCounters');
  return { heap: usedSize / 2 ** 20, nodes };
}
