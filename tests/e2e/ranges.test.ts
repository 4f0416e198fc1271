import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../support/api';
import { chartOf, tileOf, waitForPoints } from '../support/dashboard';
import { openPage, withChromium } from '../support/page';
import { addSensor, evenReadings } from '../support/sensors';
import { type RunningServer, startServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Ranges of the specification's section 9: readings needed, and points drawn. */
const RANGES = [
  { name: '10MIN', from: 0, points: 10 },
  { name: '1HR', from: 240, points: 12 },
  { name: '6HR', from: 1440, points: 18 },
  { name: '24HR', from: 5670, points: 24 },
];

describe.each(RANGES.slice(1))('$name', ({ name, from, points }) => {
  test(`is enabled by reading number ${from}, not before, and draws ${points} points`, async () => {
    const sensor = await addSensor(server, evenReadings(from - 1));
    const address = `${server.url}/?sensor=${sensor}`;
    const page = await openPage(chromium.browser, address);
    const button = page.getByRole('button', { name, exact: true });
    await waitForPoints(page, 10);
    await page.getByRole('button', { name: '10MIN', pressed: true, disabled: false }).waitFor();
    expect(await button.isDisabled()).toBe(true);
    await post(server.url, { co2: 612, voc: 77, sensor });
    await until(() => button.isEnabled());
    await tileOf(page, 'CO2').getByText('612').waitFor();
    for (const range of RANGES) {
      const choice = page.getByRole('button', { name: range.name, exact: true });
      expect(await choice.isEnabled()).toBe(from >= range.from);
      if (from < range.from) continue;
      await choice.click();
      await waitForPoints(page, range.points);
      expect(await choice.getAttribute('aria-pressed')).toBe('true');
    }
    // A new page enables it at once: it has the store's count, not only the newest readings.
    await page.goto(address);
    await page.getByRole('button', { name, exact: true, disabled: false }).waitFor();
  });
});

test("a tooltip gives a point's average, its extremes and its time span", async () => {
  const sensor = await addSensor(server, evenReadings(5760));
  const page = await openPage(chromium.browser, `${server.url}/chart?range=24HR&sensor=${sensor}`);
  await waitForPoints(page, 24);
  await chartOf(page).hover();
  const tooltip = page.getByRole('tooltip');
  // Seeded values repeat 600 to 649, so 240 of them average near the middle.
  await tooltip.getByText(/^CO2 62\d(\.\d+)? PPM$/).waitFor();
  await tooltip.getByText('600 to 649').waitFor();
  await tooltip.getByText('average of 240 readings').waitFor();
  await tooltip.getByText(/\d+:\d+:\d+ – (\d+ \w+ )?\d+:\d+:\d+/).waitFor();
});
