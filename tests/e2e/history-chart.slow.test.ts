import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { palette } from '../../tailwind.config';
import { chartPlace, colorsIn, drawingOn } from '../support/browser/canvas';
import { openHistoryChart, show } from '../support/browser/history-chart';
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
  span,
  textsOn,
  tooltipOn,
} from '../support/browser/history-page';
import { withChromium } from '../support/browser/page';
import { answerOf, roomReadings } from '../support/history/history-answers';
import { until } from '../support/until';

const chromium = withChromium();
const { light } = palette;

test('a day has the hours of its zone, its name, its points at their times, and its gap to scale with its length', async () => {
  const page = await openHistoryChart(chromium.browser, { view: span, answer }, ROME);
  const texts = await textsOn(page);
  expect(texts).toEqual(
    expect.arrayContaining(['0:00', '6:00', '12:00', '18:00', 'over 3 h', 'no readings']),
  );
  expect(texts).toContain('Sat 21 Nov');
  // Names of zones are above the hatching.
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
  expect(text).toMatch(/CO2 [\d.]+ PPM\s+\d+ to \d+\s+VOC [\d.]+ PPB\s+\d+ to \d+\s+average of 20 readings/);
});

test('now is marked, with a dot at the newest point, while it is in view, and a day without readings is a gap until now', async () => {
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
  // The page has the words.
  expect(await textsOn(page)).not.toContain('no readings');
  await page.getByLabel('Line chart of Bedroom without readings.').waitFor();
});

test('a metric that is not measured has no name and no entry, and its line has its colour once it is', async () => {
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

test('a month with a gap each night has words only in a gap that is wide enough for them', async () => {
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

test('ticks do not overlap, have 24 hours, and days, months and years have their names', async () => {
  const nothing = { view: span, answer: { step_seconds: 3600, steps: [] } };
  const showDays = (page: Page, days: number) =>
    show(page, { ...nothing, view: { from: FROM, to: FROM + days * DAY } });
  // Texts are the same in every language.
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
  // The least room for them.
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

/** Returns the texts of the chart, and the places of those below it. */
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

test('the time before is a thin line, which the legend and the tooltip name', async () => {
  const before = { from: FROM - DAY, to: FROM };
  const pieces = [{ ...span, shift: DAY }];
  const compared = { answer: answerOf(readings, before), unit: 'day' as const, pieces };
  const page = await openHistoryChart(chromium.browser, { view: span, answer, compared }, ROME);
  await page.getByText('day before', { exact: true }).waitFor();
  // The gap is in the day itself only.
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
