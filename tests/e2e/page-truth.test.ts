import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../support/api';
import { colorOf } from '../support/color';
import { tileOf, waitUntilInteractive } from '../support/dashboard';
import { openPage, openTab, stopAfterTest, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import { addSensor, evenReadings } from '../support/sensors';
import { type RunningServer, startServer } from '../support/server';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Adds a sensor whose newest reading has this age, and returns the address of its dashboard. */
async function addWithAge(endMs: number): Promise<{ address: string; sensor: string }> {
  const sensor = await addSensor(server, evenReadings(60, { endMs }));
  return { address: `${server.url}/?sensor=${sensor}`, sensor };
}

test('shows neither level nor change nor verdict for a stale reading, until the next one', async () => {
  const { address, sensor } = await addWithAge(200_000);
  const page = await openPage(chromium.browser, address);
  const tile = tileOf(page, 'CO2');
  await tile.getByText(/no reading for [3-9] min/).waitFor();
  expect(await tile.innerText()).toMatch(/Getting Reading\s+609\s+PPM/);
  await page.getByText('The air is not known').waitFor();
  expect(await page.locator('[data-level]').count()).toBe(0);
  await post(server.url, { co2: 500, voc: 100, sensor });
  await page.getByText('Good air').waitFor();
  await tile.getByText(/^\d+ s ago$/).waitFor();
  expect(await colorOf(tile, 'backgroundColor')).toBe('green');
});

describe.each([
  ['five hours ahead', 5 * 3_600_000],
  ['three days behind', -72 * 3_600_000],
])('a viewer whose clock is %s', (_, offsetMs) => {
  test("sees ages by the server's clock, counting up", async () => {
    const { address, sensor } = await addWithAge(600_000);
    const page = await openTab(await chromium.browser.newContext());
    await page.clock.install({ time: Date.now() + offsetMs });
    await page.goto(address);
    await waitUntilInteractive(page);
    const tile = tileOf(page, 'CO2');
    await tile.getByText(/no reading for 1\d min/).waitFor();
    await post(server.url, { co2: 700, voc: 100, sensor });
    await tile.getByText(/^\d+ s ago$/).waitFor();
    await page.clock.fastForward(5000);
    await tile.getByText(/^([5-9]|\d\d) s ago$/).waitFor();
    expect(await tile.getAttribute('data-freshness')).toBe('live');
  });
});

test('a reading from the future is never now: the page follows what is stored after it, and says why', async () => {
  const server = await startServerWith(60, { endMs: -86_400_000 });
  stopAfterTest(server);
  const page = await openPage(chromium.browser, server.url);
  await page.getByText('The air is not known').waitFor();
  await page.getByText("The server's clock was changed").waitFor();
  await post(server.url, { co2: 2100, voc: 100 });
  const tile = tileOf(page, 'CO2');
  await tile.getByText(/^\d+ s ago$/).waitFor();
  await page.getByText('Open a window now').waitFor();
  await page.reload();
  await tile.getByText('2100').waitFor();
  await page.getByText('Open a window now').waitFor();
});

test("setting the viewer's clock while the page is open changes no age", async () => {
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
  // The page takes the jump for a sleep and fetches what it may have missed.
  await fetched;
  expect(await tile.textContent()).not.toContain('no reading for');
});

test("a late reading goes to its place in time and doesn't become the current one", async () => {
  const { address, sensor } = await addWithAge(1000);
  const page = await openPage(chromium.browser, address);
  await waitUntilInteractive(page);
  await post(server.url, { co2: 800, voc: 100, sensor });
  const tile = tileOf(page, 'CO2');
  await tile.getByText('800').waitFor();
  const change = await tile.getByText('%').innerText();
  const created_at = new Date(Date.now() - 180_000).toISOString();
  await post(server.url, { co2: 2900, voc: 100, sensor, created_at });
  await page.getByLabel(/CO2 between \d+ and 2900 PPM, newest point \d{3}/).waitFor();
  await tile.getByText('800').waitFor();
  expect(await tile.getByText('%').innerText()).toBe(change);
  expect(await tile.getAttribute('data-level')).toBe('good');
});
