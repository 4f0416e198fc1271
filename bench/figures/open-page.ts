import type { CDPSession, Page } from 'playwright-core';
import { openFreshPage, withChromium } from '../chromium';
import type { Figure, Measurement } from '../figure';
import { HttpConnection, postRequest } from '../http-connection';
import { startProduct } from '../servers';

/** The page takes this many at a time before it gets more. */
const BATCH = 250;
const EARLY = 6000;
const LATE = 20_000;
const TARGET = { atMost: 1.1 };

/** Whether a page that is left open grows. */
export const openPage: Measurement = {
  name: 'open-page',
  async measure() {
    const server = await startProduct();
    const connection = await HttpConnection.open(server.url);
    const [early, late] = await withChromium(async (browser) => {
      const { page, devtools } = await openFreshPage(browser);
      await page.goto(server.url);
      await page.getByText('Getting Reading').first().waitFor();
      await post(connection, page, 0, EARLY);
      const early = await inUse(devtools);
      await post(connection, page, EARLY, LATE);
      return [early, await inUse(devtools)];
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
        value: late[what],
        baseline: early[what],
        target: TARGET,
      });
    }
    return figures;
  },
};

/** Posts readings, each one PPM above the one before, and waits for the page to show them. */
async function post(connection: HttpConnection, page: Page, from: number, to: number): Promise<void> {
  const tile = page.getByRole('article', { name: 'CO2' });
  for (let posted = from; posted < to; ) {
    for (let i = 0; i < BATCH && posted < to; i++) {
      posted += 1;
      await connection.send(postRequest({ co2: posted, voc: 120 }));
    }
    await tile.getByText(String(posted), { exact: true }).waitFor();
  }
}

async function inUse(devtools: CDPSession): Promise<{ heap: number; nodes: number }> {
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes } = await devtools.send('Memory.getDOMCounters');
  return { heap: usedSize / 2 ** 20, nodes };
}
