import { expect, test } from 'vitest';
import { chartOf } from '../support/browser/dashboard';
import { movesOf, openHistoryChart, show } from '../support/browser/history-chart';
import {
  answer,
  DAY,
  FROM,
  HOUR,
  MINUTE,
  pointAt,
  ROME,
  readings,
  sliderOn,
  span,
  textsOn,
  tooltipOn,
} from '../support/browser/history-page';
import { withChromium } from '../support/browser/page';
import { answerOf } from '../support/history/history-answers';
import { until } from '../support/until';

const chromium = withChromium();

const limits = { from: FROM - DAY, to: FROM + DAY };

test('the wheel keeps the time below the pointer, never flashes, and reaches single readings and the limits', async () => {
  const page = await openHistoryChart(chromium.browser, { view: span, answer, limits }, ROME);
  const canvas = await chartOf(page).elementHandle();
  // Notes a frame in which the lines are gone.
  await page.evaluate(() => {
    const chart = document.querySelector('canvas') as HTMLCanvasElement;
    const { drawingOf } = window as unknown as {
      drawingOf(canvas: HTMLCanvasElement): { strokes: string[] };
    };
    const { dataset } = document.body;
    dataset.flashed = 'no';
    const watch = () => {
      if (drawingOf(chart).strokes.length === 0) dataset.flashed = 'yes';
      if (dataset.flashed === 'no') requestAnimationFrame(watch);
    };
    watch();
  });
  await pointAt(page, FROM + 12 * HOUR);
  for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -200);
  // On a busy machine the wheel may rest between two turns.
  const view = await until(async () => {
    const { view, rests } = await movesOf(page);
    const isZoomed = view && Math.abs(view.to - view.from - DAY * Math.exp(-3)) < 500;
    return isZoomed && rests > 0 && view;
  });
  expect((await movesOf(page)).moves).toBeGreaterThan(1);
  expect(Math.abs((view.from + view.to) / 2 - (FROM + 12 * HOUR))).toBeLessThan(MINUTE);
  expect(await textsOn(page)).toContain('12:00');
  // The answer of the new view replaces the points in place.
  await show(page, { view, answer: answerOf(readings, view), limits });
  await page.locator('[data-step="10"]').waitFor();
  expect(await canvas?.evaluate((node) => node.isConnected)).toBe(true);
  expect(await page.locator('body').getAttribute('data-flashed')).toBe('no');
  await page.evaluate(() => delete document.body.dataset.flashed);

  await until(async () => {
    await page.mouse.wheel(0, -800);
    const { view } = await movesOf(page);
    return view && view.to - view.from === 10_000;
  });
  await until(async () => (await textsOn(page)).some((text) => /^(11:59|12:00):\d\d$/.test(text)));
  await until(async () => {
    await page.mouse.wheel(0, 1200);
    const { view } = await movesOf(page);
    return view?.from === limits.from && view.to === limits.to;
  });
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.wheel(0, 100);
  await until(() => page.evaluate(() => scrollY > 0));
});

test('two fingers zoom, and one that goes up scrolls the page', async () => {
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

test('by keyboard, the points have their values and stay on their time, and plus and minus zoom around them', async () => {
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
