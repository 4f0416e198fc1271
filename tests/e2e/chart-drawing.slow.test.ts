import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { palette } from '../../app/ui/palette';
import { chartPlace, colorsIn, drawingOn } from '../support/browser/canvas';
import { chartOf } from '../support/browser/dashboard';
import { openPage, stopAfterTest, type WatchedPage, withChromium } from '../support/browser/page';
import { addSensor } from '../support/readings/sensors';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Adds a sensor with these intervals between its readings, in milliseconds. The newest one is a second old. */
function addWith(
  pausesMs: number[],
  valuesOf: (i: number) => Pick<Reading, 'co2' | 'voc'>,
  endMs = 1000,
): Promise<string> {
  let time = Date.now() - endMs - pausesMs.reduce((sum, pause) => sum + pause, 0);
  const readings = [0, ...pausesMs].map((pause, i) => {
    time += pause;
    return { ...valuesOf(i), created_at: new Date(time).toISOString() };
  });
  return addSensor(server, readings);
}

async function openChart(url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, url, options);
  await chartOf(page).waitFor();
  await until(async () => (await drawingOn(page)).texts.length > 0);
  return page;
}

const descriptionOf = async (page: Page) => (await chartOf(page).getAttribute('aria-label')) ?? '';
const shownRange = (page: Page) => page.locator('[data-shown-range]').innerText();
const times = (count: number, ms: number) => Array<number>(count).fill(ms);
const { light } = palette;

test('three zones lie behind both lines, scaled to the thresholds, even in forced colours', async () => {
  // 1.6 times the good threshold of CO2 and 2.2 times that of VOC, so that the poor zone is in view.
  const sensor = await addWith(times(19, 15_000), () => ({ co2: 1600, voc: 880 }));
  const page = await openChart(`${server.url}/?sensor=${sensor}`);
  const { left, right, bottom, zones } = await chartPlace(page);
  expect(Object.keys(zones)).toEqual(['good', 'moderate', 'poor']);
  const { good, moderate, poor } = zones as Record<string, { top: number; bottom: number }>;
  if (!good || !moderate || !poor) throw new Error('a zone is missing');
  const limit = good.bottom - good.top;
  expect(good.bottom).toBe(bottom);
  expect([moderate.bottom, poor.bottom]).toEqual([good.top, moderate.top]);
  expect(moderate.bottom - moderate.top).toBeGreaterThanOrEqual(limit - 1);
  expect(moderate.bottom - moderate.top).toBeLessThanOrEqual(limit + 1);
  const middle = (left + right) / 2;
  const rowAt = (share: number) =>
    colorsIn(page, { left: middle, top: bottom - share * limit - 1, width: 30, height: 3 });
  // Between ticks, which are half a threshold apart.
  expect(await rowAt(0.75)).toEqual([light['zone-good']]);
  expect(await rowAt(1.75)).toEqual([light['zone-moderate']]);
  expect(await rowAt(2.35)).toEqual([light['zone-poor']]);
  expect(await rowAt(1.6)).toContain(light.co2);
  expect(await rowAt(2.2)).toContain(light.voc);
  expect((await drawingOn(page)).texts).toEqual(expect.arrayContaining(['good', 'moderate', 'poor']));
  expect(await descriptionOf(page)).toContain('poor from 2000 PPM CO2 and 800 PPB VOC');

  await page.emulateMedia({ forcedColors: 'active' });
  const [canvas, text, link] = await Promise.all(
    ['Canvas', 'CanvasText', 'LinkText'].map((name) => systemColor(page, name)),
  );
  await until(async () => (await rowAt(0.5)).join() === canvas);
  expect((await drawingOn(page)).texts).toEqual(expect.arrayContaining(['good', 'moderate', 'poor']));
  for (const limits of [1, 2]) expect((await rowAt(limits)).length).toBeGreaterThan(1);
  expect(await rowAt(1.6)).toContain(link);
  expect(await rowAt(1.6)).not.toContain(text);
  // The background shows through the gaps between dashes.
  const alongVoc = { left: left + 20, top: bottom - 2.2 * limit - 1, width: 60, height: 3 };
  expect(await colorsIn(page, alongVoc)).toEqual(expect.arrayContaining([text, canvas]));
});

/** Returns a system colour as `#rrggbb`. */
function systemColor(page: Page, name: string): Promise<string> {
  return page.evaluate((color) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = color;
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
    probe.remove();
    return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  }, name);
}

test('a line ends a sharp peak at its value, not above it', async () => {
  const [count, peak] = [40, 20];
  const sensor = await addWith(times(count - 1, 10_000), (i) => ({ co2: i === peak ? 800 : 100, voc: null }));
  const page = await openChart(`${server.url}/?sensor=${sensor}`);
  const { left, right, bottom, zones } = await chartPlace(page);
  const limit = bottom - (zones.good?.top ?? 0);
  const x = left + ((right - left) * peak) / (count - 1);
  const y = bottom - 0.8 * limit;
  expect(await colorsIn(page, { left: x - 6, top: y, width: 12, height: 4 })).toContain(light.co2);
  const above = { left: x - 6, top: y - 12, width: 12, height: 10 };
  expect(await colorsIn(page, above)).toEqual([light['zone-good']]);
});

test('a band behind each average shows its lowest and highest value, and the legend explains it', async () => {
  // One VOC peak in a group of 20 readings, whose average is low.
  const sensor = await addWith(times(239, 15_000), (i) => ({ co2: 500, voc: i === 130 ? 360 : 100 }));
  const page = await openChart(`${server.url}/?range=1HR&sensor=${sensor}`);
  const { left, right, bottom, zones } = await chartPlace(page);
  const limit = bottom - (zones.good?.top ?? 0);
  // The peak is in the seventh of twelve points. 0.8 times the threshold is between its average and its highest value.
  const x = left + ((right - left) * 6) / 11;
  const [band] = await colorsIn(page, { left: x, top: bottom - 0.8 * limit, width: 1, height: 1 });
  expect(band).not.toBe(light['zone-good']);
  const beside = { left: left + (right - left) / 4, top: bottom - 0.8 * limit, width: 1, height: 1 };
  expect(await colorsIn(page, beside)).toEqual([light['zone-good']]);
  const legend = page.getByRole('group', { name: 'Lines of the chart' });
  expect(await legend.innerText()).toMatch(/CO2 \(PPM\)\s+VOC \(PPB\)\s+lowest to highest shaded/);
  expect(await shownRange(page)).toMatch(/^[^,]*\d+:\d\d to [^,]*\d+:\d\d, 240 readings$/);
});

test('the legend hides and shows a line with its band, by keyboard too, while readings arrive', async () => {
  const sensor = await addWith(times(60, 15_000), () => ({ co2: 500, voc: 100 }));
  const page = await openChart(`${server.url}/?sensor=${sensor}`);
  const { left, right, top, bottom } = await chartPlace(page);
  const plot = { left, top, width: right - left - 20, height: bottom - top };
  const entry = page.getByRole('button', { name: 'VOC (PPB)' });
  expect(await colorsIn(page, plot)).toEqual(expect.arrayContaining([light.co2, light.voc]));
  await entry.focus();
  await page.keyboard.press('Enter');
  await until(async () => !(await colorsIn(page, plot)).includes(light.voc));
  await post(server.url, { co2: 900, voc: 110, sensor });
  await page.getByLabel(/newest point [6-9]\d\d/).waitFor();
  expect(await colorsIn(page, plot)).toContain(light.co2);
  expect(await colorsIn(page, plot)).not.toContain(light.voc);
  expect(await entry.getAttribute('aria-pressed')).toBe('false');
  await entry.click();
  await until(async () => (await colorsIn(page, plot)).includes(light.voc));
});

test('each gap is a hatched strip with its length, points between gaps are visible, and midnight has a name', async () => {
  const stretch = times(40, MINUTE / 4);
  const pauses = [8 * DAY, ...stretch, 7 * HOUR, 7.75 * DAY, ...stretch, 13 * HOUR, ...stretch];
  const sensor = await addWith(pauses, () => ({ co2: 500, voc: 100 }));
  // Four gaps, one of them inside a single group at this range.
  const page = await openChart(`${server.url}/chart?range=24HR&sensor=${sensor}`, {
    viewport: { width: 1600, height: 900 },
  });
  await page.locator('figure[data-gaps="4"]').waitFor();
  const text = await descriptionOf(page);
  expect(text).toContain('Readings are missing in 4 places. The longest is 8 d without readings, ');
  expect(text).toMatch(/8 d without readings, \d+ [A-Z][a-z]{2} (\d{4} )?\d+:\d+:\d+ to \d+ [A-Z][a-z]{2} /);
  const { left, right, bottom, zones } = await chartPlace(page);
  const limit = bottom - (zones.good?.top ?? 0);
  const { texts, dots } = await drawingOn(page);
  for (const length of ['8 d', '7 h', '7 d 18 h', '13 h']) expect(texts).toContain(length);
  expect(texts.filter((drawn) => drawn === 'no readings')).toHaveLength(4);
  expect(
    texts.filter((drawn) => /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d+ [A-Z][a-z]{2}$/.test(drawn)).length,
  ).toBeGreaterThan(0);
  // Two dots of radius 4: the newest point of each line.
  expect(dots).toEqual([4, 4]);
  // Five points: the first one alone, two groups of 41, a single reading between them, and the newest group.
  const step = (right - left) / 4;
  for (const gap of [0, 1, 2, 3]) {
    const strip = { left: left + (gap + 0.2) * step, top: bottom - 0.9 * limit, width: 20, height: 20 };
    const colors = await colorsIn(page, strip);
    expect(colors).toContain(light.surface);
    expect(colors.length).toBeGreaterThan(1);
    expect(colors).not.toContain(light['zone-good']);
    const lineThrough = {
      left: left + (gap + 0.5) * step,
      top: bottom - 0.5 * limit - 3,
      width: 20,
      height: 6,
    };
    expect(await colorsIn(page, lineThrough)).not.toContain(light.co2);
  }
  for (const point of [0, 1, 2, 3]) {
    const mark = { left: left + point * step - 3, top: bottom - 0.5 * limit - 3, width: 6, height: 6 };
    expect(await colorsIn(page, mark), `point ${point}`).toContain(light.co2);
  }
  expect(await shownRange(page)).toMatch(/^\d+ [A-Z].* to .*, 125 readings, 16 d \d+ h$/);
  const box = await chartOf(page).boundingBox();
  await page.mouse.move((box?.x ?? 0) + left + 3 * step, (box?.y ?? 0) + 100);
  await until(async () =>
    [...(await drawingOn(page)).texts, await page.locator('figure').innerText()].some((drawn) =>
      /7 d 18 h without readings/.test(drawn),
    ),
  );
});

test('ticks do not overlap on a phone, and each shows the time of its point', async () => {
  const sensor = await addWith(times(5759, 15_000), () => ({ co2: 500, voc: 100 }));
  const page = await openChart(`${server.url}/chart?range=24HR&sensor=${sensor}`, {
    viewport: { width: 320, height: 640 },
  });
  const { left, right } = await chartPlace(page);
  const labels = (await drawingOn(page)).texts.filter((text) => /^\d+:\d+:\d+$/.test(text));
  expect(labels.length).toBeGreaterThan(1);
  const widest = await page.evaluate((texts) => {
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    context.font = "12px 'Helvetica Neue', 'Helvetica', 'Arial', sans-serif";
    return Math.max(...texts.map((text) => context.measureText(text).width));
  }, labels);
  // Every nth of 24 points has a tick.
  const every = Math.floor(23 / (labels.length - 1));
  expect(((right - left) / 23) * every).toBeGreaterThan(widest + 4);
});

test('/chart shows the age of its newest reading, and is grey while that is stale', async () => {
  const sensor = await addWith(times(50, 15_000), () => ({ co2: 500, voc: 100 }));
  const page = await openChart(`${server.url}/chart?range=10MIN&sensor=${sensor}`);
  await page.getByText(/^Newest reading: \d+ s ago$/).waitFor();
  const filter = () => chartOf(page).evaluate((canvas) => getComputedStyle(canvas).filter);
  expect(await filter()).toBe('none');
  const quiet = await addWith(times(49, 15_000), () => ({ co2: 500, voc: 100 }), 1.9 * HOUR);
  await page.goto(`${server.url}/chart?range=10MIN&sensor=${quiet}`);
  await page.getByText('No reading for 1 h: the sensor has stopped sending.').waitFor();
  await until(async () => (await filter()) === 'grayscale(1)');
  await post(server.url, { co2: 510, voc: 100, sensor: quiet });
  await page.getByText(/^Newest reading: \d+ s ago$/).waitFor();
  await until(async () => (await filter()) === 'none');
});

test('with thresholds out of proportion, the zones are those of the worse metric, and the caption says so', async () => {
  const unusual = await startServer({ env: { CO2_MODERATE: '1500' } });
  stopAfterTest(unusual);
  await post(unusual.url, { co2: 1600, voc: 100 });
  const page = await openChart(unusual.url);
  const caption = page.getByText(
    'Zones: good below 1000 PPM CO2, poor from 1500 PPM CO2. VOC is poor from 800 PPB.',
  );
  await caption.waitFor();
  const { bottom, zones } = await chartPlace(page);
  const limit = bottom - (zones.good?.top ?? 0);
  expect((bottom - (zones.moderate?.top ?? 0)) / limit).toBeCloseTo(1.5, 1);
  await post(unusual.url, { co2: 1600, voc: 2500 });
  await page
    .getByText('Zones: good below 400 PPB VOC, poor from 800 PPB VOC. CO2 is poor from 1500 PPM.')
    .waitFor();
});
