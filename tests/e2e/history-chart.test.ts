import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { palette } from '../../tailwind.config';
import { chartPlace, colorsIn, drawingOn } from '../support/canvas';
import { chartOf } from '../support/dashboard';
import { answerOf, roomReadings } from '../support/history-answers';
import { movesOf, openHistoryChart, show } from '../support/history-chart';
import { withChromium } from '../support/page';
import { until } from '../support/until';

const chromium = withChromium();
const { light } = palette;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Midnight in Rome. */
const FROM = Date.parse('2026-11-20T23:00:00Z');
const ROME = { timezoneId: 'Europe/Rome', locale: 'en-GB' };

/** The living room for two days, the second of which is `span`, with a gap from 6:00 to 9:00. */
const span = { from: FROM, to: FROM + DAY };
const isBetween =
  (from: number, to: number) =>
  ({ created_at }: Reading) =>
    Date.parse(created_at) >= from && Date.parse(created_at) < to;
const isInGap = isBetween(FROM + 6 * HOUR, FROM + 9 * HOUR);
const readings = roomReadings({ from: FROM - DAY, to: FROM + DAY, everyMs: 15_000 }).filter(
  (r) => !isInGap(r),
);
const answer = answerOf(readings, span);

const textsOn = async (page: Page) => (await drawingOn(page)).texts;

/** Returns where a time of the day lies on the canvas, in pixels from its left. */
async function pixelAt(page: Page, time: number, view = span): Promise<number> {
  const { left, right } = await chartPlace(page);
  return left + ((time - view.from) / (view.to - view.from)) * (right - left);
}

/** Moves the mouse to a time of the day. */
async function pointAt(page: Page, time: number): Promise<void> {
  const box = await chartOf(page).boundingBox();
  await page.mouse.move((box?.x ?? 0) + (await pixelAt(page, time)), (box?.y ?? 0) + 100);
}

const sliderOn = (page: Page) => page.getByRole('slider', { name: 'Points of the chart' });
const tooltipOn = (page: Page) => page.getByRole('tooltip');

describe('a day', () => {
  test("has the hours of the viewer's zone and language, its name, and its points at their times", async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer }, ROME);
    const texts = await textsOn(page);
    expect(texts).toEqual(expect.arrayContaining(['0:00', '6:00', '12:00', '18:00']));
    expect(texts).toContain('Sat 21 Nov');
    await pointAt(page, FROM + 12.04 * HOUR);
    await tooltipOn(page).waitFor();
    const text = await tooltipOn(page).innerText();
    expect(text).toMatch(/12:00 – 12:05/);
    expect(text).toMatch(
      /CO2 [\d.]+ PPM\s+\d+ to \d+\s+VOC [\d.]+ PPB\s+\d+ to \d+\s+average of 20 readings/,
    );
  });

  test('has a gap from its first to its last empty step, to scale, with its length', async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer }, ROME);
    expect(await textsOn(page)).toEqual(expect.arrayContaining(['3 h', 'no readings']));
    const [start, end] = [await pixelAt(page, FROM + 6 * HOUR), await pixelAt(page, FROM + 9 * HOUR)];
    const { top } = await chartPlace(page);
    const groundAt = (left: number) => colorsIn(page, { left, top: top + 40, width: 3, height: 30 });
    for (const inside of [start + 2, end - 5]) expect(await groundAt(inside)).toContain(light.surface);
    for (const outside of [start - 5, end + 2]) expect(await groundAt(outside)).not.toContain(light.surface);
    await page
      .getByLabel(/Readings are missing in one place\. It is 3 h without readings, .* 6:00 to 9:00/)
      .waitFor();
  });

  test('marks now, with a dot at the newest point, and has neither once now is out of view', async () => {
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
  });

  test.each([
    ['2026-03-28T23:00:00Z', 23, ['1:00', '3:00'], '2:00'],
    ['2026-10-24T22:00:00Z', 25, ['1:00', '2:00', '2:00', '3:00'], '2:30'],
  ])('from %s has %d hours', async (start, hours, labels, missing) => {
    const from = Date.parse(start);
    const view = { from, to: from + hours * HOUR };
    const page = await openHistoryChart(
      chromium.browser,
      { view, answer: { step_seconds: 300, steps: [] } },
      { ...ROME, viewport: { width: 1800, height: 700 } },
    );
    const clock = (await textsOn(page)).filter((text) => /^\d+:\d\d$/.test(text));
    expect(clock.slice(1, 1 + labels.length)).toEqual(labels);
    expect(clock).not.toContain(missing);
    expect(clock.filter((label) => label === '0:00')).toHaveLength(2);
  });

  test('without readings says so, until now', async () => {
    const shown = {
      view: span,
      answer: { step_seconds: 300, steps: [] },
      answered: span,
      now: FROM + 5 * HOUR,
    };
    const page = await openHistoryChart(chromium.browser, shown, ROME);
    expect(await textsOn(page)).toEqual(
      expect.arrayContaining(['5 h', 'no readings', 'CO2 (PPM)', 'VOC (PPB)']),
    );
    await page.getByLabel('Line chart of Bedroom without readings.').waitFor();
  });
});

test('a line has its colour when its metric is measured after it was not', async () => {
  const withoutVoc = answerOf(
    readings.map((reading) => ({ ...reading, voc: null })),
    span,
  );
  const page = await openHistoryChart(chromium.browser, { view: span, answer: withoutVoc }, ROME);
  await page.getByText('VOC (not measured)').waitFor();
  await show(page, { view: span, answer });
  await page.getByText('VOC (PPB)').waitFor();
  await until(async () => (await drawingOn(page)).strokes.includes(light.voc));
  expect(new Set((await drawingOn(page)).strokes)).not.toContain('rgba(0, 0, 0, 0.1)');
});

test('ticks do not overlap, and days, months and years have their names', async () => {
  const spans = [
    { days: 1, names: ['Sat 21 Nov'] },
    { days: 3, names: ['Sat 21 Nov', 'Mon 23 Nov'] },
    { days: 30, names: ['November 2026', 'December 2026'] },
    { days: 400, names: ['2027'] },
  ];
  for (const [width, locale] of [
    [1440, 'en-US'],
    [390, 'de-DE'],
    [320, 'en-US'],
  ] as const)
    for (const { days, names } of spans) {
      const view = { from: FROM, to: FROM + days * DAY };
      const shown = { view, answer: { step_seconds: 3600, steps: [] } };
      const options = { ...ROME, locale, viewport: { width, height: 640 } };
      const page = await openHistoryChart(chromium.browser, shown, options);
      const { places, texts } = await drawnTicks(page);
      expect(places.length, `${days} days at ${width} px in ${locale}`).toBeGreaterThan(1);
      for (const [i, { start }] of places.entries()) {
        const before = places[i - 1];
        if (before) expect(start, `${days} days at ${width} px in ${locale}`).toBeGreaterThan(before.end + 8);
      }
      if (width === 1440)
        expect(texts.map((text) => text.replace(/[,.]/g, '').split(' ').sort().join())).toEqual(
          expect.arrayContaining(names.map((name) => name.split(' ').sort().join())),
        );
      await page.context().close();
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
    (canvas.closest('.relative') as HTMLElement).style.paddingBottom = '1px';
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

test('times on the axis have 24 hours, also where the language has 12', async () => {
  const page = await openHistoryChart(chromium.browser, { view: span, answer }, { ...ROME, locale: 'en-US' });
  const { texts } = await drawingOn(page);
  expect(texts).toContain('18:00');
  expect(texts.filter((text) => /\b[AP]M$/.test(text))).toEqual([]);
});

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

describe('zooming', () => {
  const limits = { from: FROM - DAY, to: FROM + DAY };

  test('by the wheel keeps the time below the pointer, follows on the page once it rests, and never flashes', async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer, limits }, ROME);
    const canvas = await chartOf(page).elementHandle();
    // Counts frames in which the lines are gone.
    await page.evaluate(() => {
      const chart = document.querySelector('canvas') as HTMLCanvasElement;
      const { drawingOf } = window as unknown as {
        drawingOf(canvas: HTMLCanvasElement): { strokes: string[] };
      };
      const watch = () => {
        if (drawingOf(chart).strokes.length === 0) document.body.dataset.flashed = 'yes';
        requestAnimationFrame(watch);
      };
      watch();
    });
    await pointAt(page, FROM + 12 * HOUR);
    for (let i = 0; i < 10; i++) await page.mouse.wheel(0, -100);
    await until(async () => (await movesOf(page)).rests === 1);
    const { view, moves } = await movesOf(page);
    expect(moves).toBeGreaterThan(1);
    if (!view) throw new Error('no view');
    expect(view.to - view.from).toBeCloseTo(DAY * Math.exp(-3), -3);
    expect(Math.abs((view.from + view.to) / 2 - (FROM + 12 * HOUR))).toBeLessThan(MINUTE);
    expect(await textsOn(page)).toContain('12:00');
    // The answer of the new view replaces the points in place.
    await show(page, { view, answer: answerOf(readings, view), limits });
    await page.locator('[data-step="10"]').waitFor();
    expect(await canvas?.evaluate((node) => node.isConnected)).toBe(true);
    expect(await page.locator('body').getAttribute('data-flashed')).toBeNull();
  });

  test('reaches single readings from days, and back to the limits', async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer, limits }, ROME);
    await pointAt(page, FROM + 12 * HOUR);
    await until(async () => {
      await page.mouse.wheel(0, -400);
      const { view } = await movesOf(page);
      return view && view.to - view.from === 10_000;
    });
    await until(async () => (await textsOn(page)).includes('12:00:00'));
    await until(async () => {
      await page.mouse.wheel(0, 400);
      const { view } = await movesOf(page);
      return view?.from === limits.from && view.to === limits.to;
    });
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.wheel(0, 100);
    await until(() => page.evaluate(() => scrollY > 0));
  });

  test('by drag moves the chart as far as its limits', async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer, limits }, ROME);
    await pointAt(page, FROM + 6 * HOUR);
    await page.mouse.down();
    await page.mouse.move(1200, 120, { steps: 5 });
    const { view } = await movesOf(page);
    expect(view?.to).toBeLessThan(span.to - 10 * HOUR);
    expect((await movesOf(page)).rests).toBe(0);
    await page.mouse.move(1000, 120, { steps: 5 });
    await page.mouse.up();
    await until(async () => (await movesOf(page)).rests === 1);
    expect((await movesOf(page)).view?.from).toBeGreaterThan(limits.from);
  });

  test('by two fingers zooms, and one that goes up scrolls the page', async () => {
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
});

describe('by keyboard', () => {
  test('the points have their values, and plus and minus zoom around the one that is pointed at', async () => {
    const limits = { from: FROM - DAY, to: FROM + DAY };
    const page = await openHistoryChart(chromium.browser, { view: span, answer, limits }, ROME);
    await sliderOn(page).focus();
    await page.keyboard.press('Home');
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
  });

  test('a point stays on its time when another answer has other steps', async () => {
    const page = await openHistoryChart(chromium.browser, { view: span, answer }, ROME);
    await sliderOn(page).focus();
    await page.keyboard.press('End');
    for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
    await tooltipOn(page).getByText('21:25 – 21:30').waitFor();
    await show(page, { view: span, answer: answerOf(readings, span, 60) });
    await tooltipOn(page).getByText('21:00 – 21:30').waitFor();
    await sliderOn(page).press('Escape');
    await tooltipOn(page).waitFor({ state: 'detached' });
  });
});
