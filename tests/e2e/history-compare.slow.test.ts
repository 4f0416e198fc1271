import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { palette } from '../../tailwind.config';
import { chartPlace, colorsIn } from '../support/browser/canvas';
import { spanLink, waitForHistory, waitForSpan } from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import { storeReadings } from '../support/readings/database';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

/** Midnights in Berlin, where the clocks go forward on the 30th of March. */
const [FEBRUARY_24, MARCH_29, APRIL_1] = [
  '2025-02-24T00:00+01:00',
  '2025-03-29T00:00+01:00',
  '2025-04-01T00:00+02:00',
].map((time) => Date.parse(time)) as [number, number, number];

/** The only reading of its day. The next one has many. */
const ALONE = Date.parse('2025-05-01T12:00+02:00');

/** Readings every five minutes, with the number of their five minutes as CO2. */
function readingsBetween(from: number, to: number) {
  return Array.from({ length: (to - from) / 300_000 }, (_, i) => ({
    co2: 400 + i,
    voc: null,
    created_at: new Date(from + i * 300_000).toISOString(),
  }));
}

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await storeReadings(databasePath, [
    ...readingsBetween(FEBRUARY_24, FEBRUARY_24 + 7 * 86_400_000),
    ...readingsBetween(MARCH_29, APRIL_1),
    { co2: 800, voc: null, created_at: new Date(ALONE).toISOString() },
    ...readingsBetween(ALONE + 12 * 3_600_000, ALONE + 36 * 3_600_000),
  ]);
  server = await startServer({ databasePath });
});

afterAll(() => server.stop());

test('the time before is that of the same clock and date, also after a day of 23 hours and a shorter month', async () => {
  const page = await openPage(chromium.browser, `${server.url}/history?date=2025-04-01`, {
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
  });
  await waitForHistory(page);
  const { left, right, top, bottom } = await chartPlace(page);
  const hasLine = async () =>
    (await colorsIn(page, { left, top, width: right - left, height: bottom - top })).includes(
      palette.light.co2,
    );
  // The day has no readings itself.
  expect(await hasLine()).toBe(false);
  await page.getByRole('button', { name: 'Compare: day before' }).click();
  await page.getByText('day before', { exact: true }).waitFor();
  await until(hasLine);

  await page.getByRole('button', { name: 'Earlier' }).click();
  await waitForSpan(page, 'Mon 31 Mar 2025');
  await waitForHistory(page);
  await page.getByRole('slider').press('End');
  // 23:55 on the 30th, after 24 and 23 hours less five minutes.
  await page
    .getByRole('tooltip')
    .getByText(`day before: ${400 + 47 * 12 - 1} PPM`)
    .waitFor();

  await spanLink(page, 'month').click();
  await waitForSpan(page, 'Mar 2025');
  await waitForHistory(page);
  await page.getByText('month before', { exact: true }).waitFor();
  await page.getByRole('slider').press('End');
  await page.getByRole('tooltip').getByText('31 Mar').waitFor();
  expect(await page.getByRole('tooltip').getByText('month before').count()).toBe(0);
  // Back to the start of the 1st, which is compared with the 1st of February without readings, and on to the 28th.
  await page.keyboard.press('Home');
  expect(await page.getByRole('tooltip').getByText('month before').count()).toBe(0);
});

test('a reading alone in the time before is visible', async () => {
  const page = await openPage(chromium.browser, `${server.url}/history?date=2025-05-02&compare=before`, {
    timezoneId: 'Europe/Berlin',
  });
  await waitForHistory(page);
  await page.getByText('day before', { exact: true }).waitFor();
  const { left, right, bottom, zones } = await chartPlace(page);
  const y = bottom - 0.8 * (bottom - (zones.good?.top ?? 0));
  const colorsAt = (x: number) => colorsIn(page, { left: x - 5, top: y - 3, width: 10, height: 6 });
  const noon = (left + right) / 2;
  await until(async () => (await colorsAt(noon)).length > (await colorsAt(noon + 20)).length);
});

test('Back and Forward switch the comparison off and on again', async () => {
  const page = await openPage(chromium.browser, `${server.url}/history?date=2025-03-30`, {
    timezoneId: 'Europe/Berlin',
  });
  await waitForHistory(page);
  const compare = page.getByRole('button', { name: 'Compare: day before' });
  const isPressed = (pressed: boolean) =>
    until(async () => (await compare.getAttribute('aria-pressed')) === String(pressed));
  await compare.click();
  await isPressed(true);
  await page.goBack();
  await isPressed(false);
  await page.goForward();
  await isPressed(true);
});
