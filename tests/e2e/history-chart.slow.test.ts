import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { palette } from '../../app/ui/palette';
import { chartPlace, colorsIn, drawingOn } from '../support/browser/canvas';
import { chartOf } from '../support/browser/dashboard';
import { movesOf, openHistoryChart, show } from '../support/browser/history-chart';
import {
  answer,
  DAY,
  FROM,
  HOUR,
  isBetween,
  MINUTE,
  pixelAt,
  pointAt,
  ROME,
  readings,
  sliderOn,
  span,
  spanLink,
  textsOn,
  tooltipOn,
  waitForHistory,
  waitForSpan,
} from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import { answerOf, roomReadings } from '../support/history/history-answers';
import { storeReadings } from '../support/readings/database';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

describe('the drawing', () => {
  const chromium = withChromium();
  const { light } = palette;

  test('a day shows its name, the hours of its zone, points at their times, and a gap to scale with its length', async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer }, ROME);
    const texts = await textsOn(page);
    expect(texts).toEqual(
      expect.arrayContaining(['0:00', '6:00', '12:00', '18:00', 'over 3 h', 'no readings']),
    );
    expect(texts).toContain('Sat 21 Nov');
    // The names of zones are above the hatching.
    expect(texts.indexOf('good')).toBeGreaterThan(texts.indexOf('no readings'));

    const [start, end] = [await pixelAt(page, FROM + 6 * HOUR), await pixelAt(page, FROM + 9 * HOUR)];
    const { top } = await chartPlace(page);
    const groundAt = (left: number) => colorsIn(page, { left, top: top + 40, width: 3, height: 30 });
    for (const inside of [start + 2, end - 5]) expect(await groundAt(inside)).toContain(light.surface);
    for (const outside of [start - 5, end + 2]) expect(await groundAt(outside)).not.toContain(light.surface);
    await page.getByLabel(/Readings are missing in one place\. It is over 3 h without readings\./).waitFor();

    await pointAt(page, FROM + 12.04 * HOUR);
    await tooltipOn(page).waitFor();
    const text = await tooltipOn(page).innerText();
    expect(text).toMatch(/12:00 – 12:05/);
    expect(text).toMatch(
      /CO2 [\d.]+ PPM\s+\d+ to \d+\s+VOC [\d.]+ PPB\s+\d+ to \d+\s+average of 20 readings/,
    );
  });

  test('now is marked while in view, with a dot at the newest point, and a day without readings is a gap until now', async () => {
    const now = FROM + 15 * HOUR;
    const used = readings.filter(isBetween(0, now));
    const today = { view: span, answer: answerOf(used, span), now };
    const page = await openHistoryChart(chromium.browser, today, ROME);
    expect(await textsOn(page)).toContain('now');
    expect((await drawingOn(page)).dots).toEqual([4, 4]);
    const { bottom } = await chartPlace(page);
    const at = { left: (await pixelAt(page, now)) - 2, top: bottom - 12, width: 4, height: 10 };
    expect(await colorsIn(page, at)).toContain(light.ink);
    await show(page, { ...today, now: FROM + 2 * DAY });
    await until(async () => !(await textsOn(page)).includes('now'));
    expect((await drawingOn(page)).dots).toEqual([]);

    const nothing = { step_seconds: 300, steps: [] };
    await show(page, { view: span, answer: nothing, answered: span, now: FROM + 5 * HOUR });
    await page.locator('figure[data-gaps="1"]').waitFor();
    await until(async () => (await textsOn(page)).includes('now'));
    expect(await textsOn(page)).toEqual(expect.arrayContaining(['CO2 (PPM)', 'VOC (PPB)']));
    // The page says so outside the chart.
    expect(await textsOn(page)).not.toContain('no readings');
    await page.getByLabel('Line chart of Bedroom without readings.').waitFor();
  });

  test('an unmeasured metric has no name and no legend entry, and its line gets its colour once it is measured', async () => {
    const withoutVoc = answerOf(
      readings.map((reading) => ({ ...reading, voc: null })),
      span,
    );
    const page = await openHistoryChart(chromium.browser, { view: span, answer: withoutVoc }, ROME);
    await page.getByText('CO2 (PPM)').waitFor();
    expect(await page.getByText(/^VOC/).count()).toBe(0);
    expect((await textsOn(page)).filter((text) => text.startsWith('VOC'))).toEqual([]);
    await show(page, { view: span, answer });
    await page.getByText('VOC (PPB)').waitFor();
    await until(async () => (await drawingOn(page)).strokes.includes(light.voc));
    expect(new Set((await drawingOn(page)).strokes)).not.toContain('rgba(0, 0, 0, 0.1)');
  });

  test('a month with a gap each night labels only a gap that is wide enough', async () => {
    const view = { from: FROM, to: FROM + 30 * DAY };
    const isDay = (time: number) => (time - FROM) % DAY >= 8 * HOUR && (time - FROM) % DAY < 18 * HOUR;
    const used = roomReadings({ ...view, everyMs: 5 * MINUTE }).filter(({ created_at }) => {
      const time = Date.parse(created_at);
      return isDay(time) && !(time > FROM + 10 * DAY && time < FROM + 17 * DAY);
    });
    const page = await openHistoryChart(chromium.browser, { view, answer: answerOf(used, view, 750) }, ROME);
    await page.locator('figure[data-gaps="22"]').waitFor();
    expect((await textsOn(page)).filter((text) => /over|readings/.test(text))).toEqual([
      'over 7 d 14 h',
      'no readings',
    ]);
    await page.getByLabel(/Readings are missing in 22 places\. The longest is over 7 d 14 h/).waitFor();
  });

  test('ticks do not overlap, use 24 hours, and name days, months and years', async () => {
    const nothing = { view: span, answer: { step_seconds: 3600, steps: [] } };
    const showDays = (page: Page, days: number) =>
      show(page, { ...nothing, view: { from: FROM, to: FROM + days * DAY } });
    // The texts are the same in every language.
    const wide = { ...ROME, locale: 'en-US', viewport: { width: 1440, height: 640 } };
    const page = await openHistoryChart(chromium.browser, nothing, wide);
    for (const [days, names] of [
      [1, ['Sat 21 Nov', '18:00']],
      [3, ['Sat 21 Nov', 'Mon 23 Nov']],
      [30, ['November 2026', 'December 2026']],
      [400, ['2027']],
    ] as const) {
      await showDays(page, days);
      const { texts } = await drawnTicks(page);
      expect(texts).toEqual(expect.arrayContaining([...names]));
    }
    // Ticks keep a minimum distance on a narrow screen.
    const narrow = { ...ROME, viewport: { width: 320, height: 640 } };
    const phone = await openHistoryChart(chromium.browser, nothing, narrow);
    for (const days of [1, 3, 30, 400]) {
      await showDays(phone, days);
      const { places } = await drawnTicks(phone);
      expect(places.length, `${days} days`).toBeGreaterThan(1);
      for (const [i, { start }] of places.entries()) {
        const before = places[i - 1];
        if (before) expect(start, `${days} days`).toBeGreaterThan(before.end + 8);
      }
    }
  });

  /** Returns the texts of the chart, and the positions of the tick labels below it. */
  async function drawnTicks(page: Page) {
    const { bottom } = await chartPlace(page);
    return page.evaluate((axis) => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      const drawn: { text: string; start: number; end: number; y: number }[] = [];
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      prototype.fillText = function (text, x, y) {
        const { a, d, e, f } = this.getTransform();
        const scale = canvas.width / canvas.clientWidth;
        const { actualBoundingBoxLeft, actualBoundingBoxRight } = this.measureText(text);
        const center = (a * x + e) / scale;
        drawn.push({
          text,
          start: center - actualBoundingBoxLeft,
          end: center + actualBoundingBoxRight,
          y: (d * y + f) / scale,
        });
        fillText.call(this, text, x, y);
      };
      // The chart redraws at a new size.
      const { style } = canvas.closest('.relative') as HTMLElement;
      style.paddingBottom = style.paddingBottom === '1px' ? '2px' : '1px';
      return new Promise<{ places: { start: number; end: number }[]; texts: string[] }>((resolve) => {
        const wait = () => {
          if (drawn.length === 0) return requestAnimationFrame(wait);
          prototype.fillText = fillText;
          resolve({
            places: drawn.filter(({ y }) => y > axis + 2).sort((one, other) => one.start - other.start),
            texts: drawn.map(({ text }) => text),
          });
        };
        wait();
      });
    }, bottom);
  }

  test('the earlier period is a thin line, named by the legend and the tooltip', async () => {
    const before = { from: FROM - DAY, to: FROM };
    const pieces = [{ ...span, shift: DAY }];
    const compared = { answer: answerOf(readings, before), unit: 'day' as const, pieces };
    const page = await openHistoryChart(chromium.browser, { view: span, answer, compared }, ROME);
    await page.getByText('day before', { exact: true }).waitFor();
    // The day has a gap, and the earlier period has none.
    const [start, end] = [await pixelAt(page, FROM + 6.2 * HOUR), await pixelAt(page, FROM + 8.8 * HOUR)];
    const { top, bottom } = await chartPlace(page);
    const inGap = { left: start, top, width: end - start, height: bottom - top };
    expect(await colorsIn(page, inGap)).toContain(light.co2);
    await pointAt(page, FROM + 12.04 * HOUR);
    const noted = readings.filter(isBetween(FROM - 12 * HOUR, FROM - 12 * HOUR + 5 * MINUTE));
    const mean = noted.reduce((sum, { co2 }) => sum + (co2 ?? 0), 0) / noted.length;
    await tooltipOn(page)
      .getByText(`day before: ${Math.round(mean * 100) / 100} PPM`)
      .waitFor();
    await page.getByRole('button', { name: 'CO2 (PPM)' }).click();
    await until(async () => !(await colorsIn(page, inGap)).includes(light.co2));
    await show(page, { view: span, answer });
    await page.getByText('day before').waitFor({ state: 'detached' });
  });
});

describe('the comparison with the earlier period', () => {
  const chromium = withChromium();
  let server: RunningServer;

  /** Midnights in Berlin, where the clocks go forward on 30 March. */
  const [FEBRUARY_24, MARCH_29, APRIL_1] = [
    '2025-02-24T00:00+01:00',
    '2025-03-29T00:00+01:00',
    '2025-04-01T00:00+02:00',
  ].map((time) => Date.parse(time)) as [number, number, number];

  /** The only reading of its day. The next day has many. */
  const ALONE = Date.parse('2025-05-01T12:00+02:00');

  /** Returns readings every five minutes, whose CO2 counts up from 400. */
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

  test('the earlier period is compared at the same clock time and date, even after a day of 23 hours and a shorter month', async () => {
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
    // The day itself has no readings.
    expect(await hasLine()).toBe(false);
    await page.getByRole('button', { name: 'Compare: day before' }).click();
    await page.getByText('day before', { exact: true }).waitFor();
    await until(hasLine);

    await page.getByRole('button', { name: 'Earlier' }).click();
    await waitForSpan(page, 'Mon 31 Mar 2025');
    await waitForHistory(page);
    await page.getByRole('slider').press('End');
    // 23:55 on the 30th is 24 + 23 hours after the first reading, less five minutes.
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
    // Home selects 1 March, which is compared with 1 February, a day without readings.
    await page.keyboard.press('Home');
    expect(await page.getByRole('tooltip').getByText('month before').count()).toBe(0);
  });

  test('a single reading in the earlier period is visible', async () => {
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
});

describe('gestures and keys', () => {
  const chromium = withChromium();

  const limits = { from: FROM - DAY, to: FROM + DAY };

  test('two fingers zoom, and a finger that moves up scrolls the page', async () => {
    const page = await openHistoryChart(
      chromium.browser,
      { view: span, answer, limits },
      { ...ROME, viewport: { width: 390, height: 640 }, hasTouch: true, isMobile: true },
    );
    const devtools = await page.context().newCDPSession(page);
    const box = await chartOf(page).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 150, (box?.y ?? 0) + 150];
    await devtools.send('Input.synthesizePinchGesture', { x, y, scaleFactor: 3, gestureSourceType: 'touch' });
    await until(async () => (await movesOf(page)).rests > 0);
    const { view } = await movesOf(page);
    expect((view?.to ?? 0) - (view?.from ?? 0)).toBeLessThan(DAY / 2);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', top?: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: top === undefined ? [] : [{ x, y: top }],
      });
    await touch('touchStart', y);
    for (let up = 10; up <= 150; up += 10) await touch('touchMove', y - up);
    await touch('touchEnd');
    await until(() => page.evaluate(() => scrollY > 50));
    expect((await movesOf(page)).view).toEqual(view);
  });

  test('with the keyboard, points show their values and keep their time, and plus and minus zoom around them', async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer, limits }, ROME);
    await sliderOn(page).press('Home');
    await tooltipOn(page).getByText('0:00 – 0:05').waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await sliderOn(page).getAttribute('aria-valuetext')).toMatch(
      /0:05 – 0:10; CO2 [\d.]+ PPM, \d+ to \d+; VOC /,
    );
    await page.keyboard.press('+');
    await until(async () => (await movesOf(page)).rests === 1);
    const { view } = await movesOf(page);
    expect((view?.to ?? 0) - (view?.from ?? 0)).toBe(DAY / 1.5);
    await tooltipOn(page).getByText('0:05 – 0:10').waitFor();
    await page.keyboard.press('End');
    // The last point in view.
    await tooltipOn(page).getByText('16:00 – 16:05').waitFor();
    for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowLeft');
    await tooltipOn(page).getByText('15:25 – 15:30').waitFor();
    // Another answer has other steps.
    await show(page, { view: span, answer: answerOf(readings, span, 60) });
    await tooltipOn(page).getByText('15:00 – 15:30').waitFor();
    await sliderOn(page).press('Escape');
    await tooltipOn(page).waitFor({ state: 'detached' });
  });
});
