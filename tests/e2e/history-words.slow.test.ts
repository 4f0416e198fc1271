import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { palette } from '../../app/ui/palette';
import { chartPlace, colorsIn, drawingOn } from '../support/browser/canvas';
import { boxOf, chartOf } from '../support/browser/dashboard';
import { openHistoryChart, show } from '../support/browser/history-chart';
import { numbersOf, waitForHistory } from '../support/browser/history-page';
import { coveredTexts, noteTexts } from '../support/browser/legible';
import { openPage, withChromium } from '../support/browser/page';
import { answerOf, roomReadings } from '../support/history/history-answers';
import { type RunningServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

describe('the text in the chart', () => {
  const chromium = withChromium();
  const { light } = palette;

  const HOUR = 3_600_000;
  /** Midnight in Rome. */
  const FROM = Date.parse('2025-11-20T23:00:00Z');
  const span = { from: FROM, to: FROM + 24 * HOUR };
  const [first, now] = [FROM + 6 * HOUR, FROM + 18 * HOUR];
  const answer = answerOf(roomReadings({ from: first, to: now, everyMs: 15_000 }), span);
  const ROME = { timezoneId: 'Europe/Rome', locale: 'de-DE' };

  test('spans outside the readings say why they are empty', async () => {
    const today = { view: span, answer, answered: span, now, first };
    const page = await openHistoryChart(chromium.browser, today, ROME);
    const { texts } = await drawingOn(page);
    expect(texts).toEqual(expect.arrayContaining(['before the', 'first reading', 'to come']));
    // These spans aren't gaps.
    expect(texts).not.toContain('no readings');
    await page.locator('figure[data-gaps="0"]').waitFor();
    const { left, right, top } = await chartPlace(page);
    const groundAt = (hour: number) =>
      colorsIn(page, { left: left + ((right - left) * hour) / 24, top: top + 30, width: 3, height: 20 });
    expect(await groundAt(9)).toContain(light['zone-moderate']);
    for (const outside of [1, 23]) expect(await groundAt(outside)).not.toContain(light['zone-moderate']);

    const box = await chartOf(page).boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 100);
    await page
      .getByRole('tooltip')
      .getByText(/^21 Nov 2025 \d+:\d\d – \d+:\d\d$/)
      .waitFor();
    await page.getByLabel(/^Line chart of Bedroom from 21 Nov 2025 6:00 to 18:00/).waitFor();

    await show(page, { ...today, view: { from: FROM + 8 * HOUR, to: FROM + 12 * HOUR } });
    await until(async () => !(await drawingOn(page)).texts.includes('to come'));
    expect((await drawingOn(page)).texts).not.toContain('first reading');
  });

  test.each([320, 390])('at %d px no level name covers the text before the first reading', async (width) => {
    const viewport = { width, height: 844 };
    const today = { view: span, answer, answered: span, now, first };
    const page = await openHistoryChart(chromium.browser, today, { ...ROME, viewport });
    await page.evaluate(noteTexts);
    // The shorter the time before the first reading, the closer its text is to the level names.
    for (const share of [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.6, 0.9]) {
      const from = first - 12 * HOUR * share;
      await show(page, { ...today, view: { from, to: from + 12 * HOUR } });
      await until(async () => (await drawingOn(page)).texts.includes('good'));
      expect(await coveredTexts(page), `with ${share} of the chart`).toEqual([]);
    }
  });
});

describe('the layout', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    // Twelve days that are never at the good level.
    server = await startServerWith(3456, { intervalMs: 300_000, env: { CO2_GOOD: '610', VOC_GOOD: '205' } });
  });

  afterAll(() => server.stop());

  test('on a phone, the numbers and the caption of the table have the same height in every span', async () => {
    const page = await openPage(chromium.browser, 'about:blank', {
      viewport: { width: 390, height: 844 },
      timezoneId: 'Europe/Berlin',
    });
    const heights: number[][] = [];
    for (const span of ['day', 'week', 'month', 'year', 'all']) {
      await page.goto(`${server.url}/history?span=${span}`);
      await waitForHistory(page);
      await numbersOf(page, 'CO2').and(page.locator('[aria-busy=false]')).waitFor();
      const worst = page.getByRole('region', { name: /^When it is worst/ });
      await worst.getByText(/^Worst:/).waitFor();
      const title = await boxOf(worst.locator('> div').first());
      heights.push(
        [...(await Promise.all(['CO2', 'VOC'].map((name) => boxOf(numbersOf(page, name))))), title].map(
          ({ height }) => Math.round(height),
        ),
      );
    }
    for (const ofSpan of heights) expect(ofSpan).toEqual(heights[0]);
  });
});

describe('on paper', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServerWith(500, { intervalMs: 600_000, endMs: 5000 });
  });

  afterAll(() => server.stop());

  test('a week has its numbers and tables, but no hints and no controls besides the legend', async () => {
    const page = await openPage(chromium.browser, `${server.url}/history?span=week`);
    await waitForHistory(page);
    await page.getByText('As a table').waitFor();
    const controls = page.locator(
      ':is(button, select, input, summary, nav, [download]):visible:not([aria-pressed=true])',
    );
    const hints = page.getByText(/Turn the wheel|Tap for values|to see it|▾/).and(page.locator(':visible'));
    expect(await controls.count()).toBeGreaterThan(5);
    expect(await hints.count()).toBeGreaterThan(1);
    await page.emulateMedia({ media: 'print' });
    expect(await controls.evaluateAll((nodes) => nodes.map(({ textContent }) => textContent))).toEqual([]);
    expect(await hints.allTextContents()).toEqual([]);
    expect(await page.getByRole('heading', { level: 1, name: 'History' }).isVisible()).toBe(true);
    expect(await page.getByText('Last 7 days').isVisible()).toBe(true);
    expect(await page.locator('figure button[aria-pressed=true]:visible').count()).toBe(2);
    expect(await page.getByRole('table').first().isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
  });
});
