import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawingOn, watchCanvas } from '../support/canvas';
import { chartOf } from '../support/dashboard';
import { openTab, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(20);
});

afterAll(() => server.stop());

test('the markers of the point that is pointed at have the colours of their lines', async () => {
  const context = await chromium.browser.newContext();
  await watchCanvas(context);
  const page = await openTab(context);
  await page.goto(server.url);
  await until(async () => (await drawingOn(page)).dots.length === 2);
  const colors = new Set((await drawingOn(page)).strokes);
  await chartOf(page).hover();
  await until(async () => (await drawingOn(page)).dots.length === 4);
  expect(new Set((await drawingOn(page)).strokes)).toEqual(colors);
});
