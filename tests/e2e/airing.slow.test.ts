import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawingOn } from '../support/browser/canvas';
import { cardOf, chartOf } from '../support/browser/dashboard';
import { waitForHistory } from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import { addSensor } from '../support/readings/sensors';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const OUTDOOR = 425;
/** Air changes per minute with the window open. */
const OPEN_RATE = 8 / 60;

/**
 * Adds a sensor with a reading a minute for the last 25 hours, in a room with 1400 PPM whose window was opened, and
 * perhaps closed, this many minutes ago.
 */
function addRoom(openedBefore: number, closedBefore = 0): Promise<string> {
  const now = Date.now() - 1000;
  let co2 = 1400;
  return addSensor(
    server,
    Array.from({ length: 1501 }, (_, i) => {
      const before = 1500 - i;
      if (before < openedBefore && before >= closedBefore)
        co2 -= (co2 - OUTDOOR) * (1 - Math.exp(-OPEN_RATE));
      // A wave of 2 PPM, as noise.
      const noise = 2 * Math.sin(i * 2.3);
      return {
        co2: Math.round(co2 + noise),
        voc: 100,
        created_at: new Date(now - before * 60_000).toISOString(),
      };
    }),
  );
}

test('while a window is open, the verdict says so and how far CO2 fell, and the chart has a band', async () => {
  const sensor = await addRoom(5);
  const page = await openPage(chromium.browser, `${server.url}/?sensor=${sensor}`);
  const verdict = cardOf(page, 'Verdict');
  await verdict.getByText(/CO2 fell from 1\d\d\d to \d+ PPM in \d min\./).waitFor();
  expect(await verdict.getByRole('status').textContent()).toMatch(
    /^(About .* more minutes? of airing|You are airing)$/,
  );
  const texts = await until(async () => {
    const { texts } = await drawingOn(page);
    return texts.some((text) => text.startsWith('aired')) && texts;
  });
  expect(texts.filter((text) => text.startsWith('aired')).join()).toMatch(/^aired \d min so far$/);
  expect(await chartOf(page).getAttribute('aria-label')).toMatch(/Aired once, at [\d:]+ for \d min so far\./);
});

test('after an airing, the verdict is about the air again, and /history lists the airing', async () => {
  const sensor = await addRoom(30, 20);
  const answer = await (await fetch(`${server.url}/api/ventilation?sensor=${sensor}`)).json();
  expect(answer.airing).toBeNull();
  const page = await openPage(chromium.browser, `${server.url}/?range=6HR&sensor=${sensor}`);
  await page.getByRole('img', { name: /Aired once, at [\d:]+ for \d+ min\./ }).waitFor();
  expect(await cardOf(page, 'Verdict').getByRole('status').textContent()).toBe('Good air');
  // The last seven days contain the airing even around midnight.
  await page.goto(`${server.url}/history?span=week&sensor=${sensor}`);
  await waitForHistory(page);
  const row = page.getByRole('row').filter({ hasText: '→' });
  await row.waitFor();
  const cells = (await row.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(cells.join('; ')).toMatch(/^\d+:\d\d; \d+ min; 1[34]\d\d → to [67]\d\d; [789]\.\d$/);
  await cardOf(page, 'Airings this week').getByText('1 airing, on 1 of 7 days').waitFor();
  await cardOf(page, 'How this room breathes').getByText('not known yet').first().waitFor();
  await cardOf(page, 'Can this sensor be believed?').getByText('Not known yet.').waitFor();
  expect(await chartOf(page).getAttribute('aria-label')).toMatch(/Aired once, at .* for \d+ min\./);
});
