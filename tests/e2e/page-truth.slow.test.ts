import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tileOf, waitUntilInteractive } from '../support/browser/dashboard';
import { colorOf } from '../support/browser/legible';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { storeReadings } from '../support/readings/database';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { post } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

const chromium = withChromium();
const DAY_MS = 86_400_000;
let server: RunningServer;

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  // The API rejects readings from tomorrow.
  await storeReadings(
    databasePath,
    evenReadings(60, { endMs: -DAY_MS }).map((reading) => ({ ...reading, sensor: 'Tomorrow' })),
  );
  server = await startServer({ databasePath });
});

afterAll(() => server.stop());

/** Adds a sensor whose newest reading has this age, and returns the address of its dashboard. */
async function addWithAge(endMs: number): Promise<{ address: string; sensor: string }> {
  const sensor = await addSensor(server, evenReadings(60, { endMs }));
  return { address: `${server.url}/?sensor=${sensor}`, sensor };
}

describe.each([
  ['five hours ahead', 5 * 3_600_000],
  ['three days behind', -72 * 3_600_000],
])('a viewer whose clock is %s', (_, offsetMs) => {
  test('sees ages by the clock of the server, counting up, and no level of a stale reading', async () => {
    const { address, sensor } = await addWithAge(600_000);
    const page = await openTab(await chromium.browser.newContext());
    await page.clock.install({ time: Date.now() + offsetMs });
    await page.goto(address);
    await waitUntilInteractive(page);
    const tile = tileOf(page, 'CO2');
    await tile.getByText(/no reading for 1\d min/).waitFor();
    expect(await tile.innerText()).toMatch(/^CO2\s+609\s+PPM/);
    await page.getByText('The air is not known').waitFor();
    // The strip shows other sensors.
    expect(await page.locator('[data-level]:not(nav *)').count()).toBe(0);
    await post(server.url, { co2: 700, voc: 100, sensor });
    await page.getByText('Good air').waitFor();
    await tile.getByText(/^\d+ s ago$/).waitFor();
    await page.clock.fastForward(5000);
    await tile.getByText(/^([5-9]|\d\d) s ago$/).waitFor();
    expect(await tile.getAttribute('data-freshness')).toBe('live');
    expect(await colorOf(tile, 'backgroundColor')).toBe('green');
  });
});

test('a reading from the future is never current: the page uses later posts, and says why', async () => {
  const page = await openPage(chromium.browser, `${server.url}/?sensor=Tomorrow`);
  await page.getByText('The air is not known').waitFor();
  await page.getByText("The server's clock was changed").waitFor();
  await post(server.url, { co2: 2100, voc: 100, sensor: 'Tomorrow' });
  const tile = tileOf(page, 'CO2');
  await tile.getByText(/^\d+ s ago$/).waitFor();
  await page.getByText('Open a window now').waitFor();
  await page.reload();
  await tile.getByText('2100').waitFor();
  await page.getByText('Open a window now').waitFor();
});

test('setting the clock of the viewer while the page is open changes no age', async () => {
  const { address, sensor } = await addWithAge(1000);
  const page = await openPage(chromium.browser, address);
  const tile = tileOf(page, 'CO2');
  await post(server.url, { co2: 500, voc: 100, sensor });
  await tile.getByText(/^\d+ s ago$/).waitFor();
  const fetched = page.waitForResponse(/\/api\/data\?/);
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
  });
  await tile.getByText(/^[1-9]\d? s ago$/).waitFor();
  // The page treats the jump as sleep and fetches the readings that it may have missed.
  await fetched;
  expect(await tile.textContent()).not.toContain('no reading for');
});
