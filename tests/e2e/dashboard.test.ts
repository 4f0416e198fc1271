import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawingOn, timeAxis } from '../support/browser/canvas';
import { chartOf, tileOf, waitUntilInteractive } from '../support/browser/dashboard';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { post, postAll, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const openDashboard = () => openPage(chromium.browser, server.url);

const drawn = (page: Page) => chartOf(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

test('two open pages show that there are no readings, then the first ones posted by HTTP and by POST RANDOM DATA', async () => {
  const pages = await Promise.all([openDashboard(), openDashboard()]);
  const [page] = pages;
  await page.getByText('No readings yet.').waitFor();
  expect(await chartOf(page).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Post the first one' }).getAttribute('href')).toBe('/postdata');
  await page.getByText(`curl ${server.url}/api/data -d '{"sensor":"Bedroom","co2":640}'`).waitFor();
  for (const page of pages) {
    for (const name of ['CO2', 'VOC']) await tileOf(page, name).getByText('Getting Reading').waitFor();
  }
  await post(server.url, { co2: 415, voc: '120' });
  for (const page of pages) {
    await tileOf(page, 'CO2').getByText('415').waitFor();
    expect(await tileOf(page, 'CO2').innerText()).toContain('good');
    expect(await tileOf(page, 'VOC').innerText()).toMatch(/120\s+PPB/);
    // The first reading has no change, since it has no predecessor.
    expect(await tileOf(page, 'CO2').innerText()).toContain('–');
    await chartOf(page)
      .and(page.getByLabel(/one point\..*newest point 415\./))
      .waitFor();
  }
  await until(async () => (await page.title()) === '415 PPM, good – airboard');
  const before = await Promise.all(pages.map(drawn));
  await post(server.url, { co2: 830, voc: 90 });
  for (const [i, page] of pages.entries()) {
    await tileOf(page, 'CO2').getByText('+100.00%').waitFor();
    await tileOf(page, 'VOC').getByText('-25.00%').waitFor();
    await chartOf(page)
      .and(page.getByLabel(/2 points.*newest point 830\..*newest point 90\./))
      .waitFor();
    await until(async () => (await drawn(page)) !== before[i]);
  }
  await page.getByRole('button', { name: 'POST RANDOM DATA' }).click();
  const stored = await until(async () => (await readAll(server.url))[2]);
  expect(Number.isInteger(stored.co2) && Number.isInteger(stored.voc)).toBe(true);
  expect(stored.co2).toBeLessThan(3000);
  expect(stored.voc).toBeLessThan(600);
  for (const page of pages) {
    await tileOf(page, 'CO2').getByText(String(stored.co2), { exact: true }).waitFor();
    await tileOf(page, 'VOC').getByText(String(stored.voc), { exact: true }).waitFor();
  }
});

test('the canvas shows both axes, time labels, a legend, a dot on the newest point only, and markers at the pointer', async () => {
  await postAll(server.url, [
    { co2: 500, voc: 100, sensor: 'Canvas' },
    { co2: 600, voc: 110, sensor: 'Canvas' },
  ]);
  const page = await openPage(chromium.browser, `${server.url}/?sensor=Canvas`);
  await chartOf(page).waitFor();
  const { texts } = await until(async () => {
    const drawing = await drawingOn(page);
    return drawing.texts.includes('CO2 (PPM)') && drawing;
  });
  const canvas = await chartOf(page).boundingBox();
  for (const name of ['CO2 (PPM)', 'VOC (PPB)']) {
    expect(texts).toContain(name);
    const entry = await page.getByRole('button', { name, pressed: true }).boundingBox();
    expect(entry?.y).toBeGreaterThanOrEqual((canvas?.y ?? 0) + (canvas?.height ?? 0));
  }
  expect(texts.filter((text) => text === '0')).toHaveLength(2);
  const [first] = await readAll(server.url, '?sensor=Canvas');
  const time = new Date(first?.created_at ?? '');
  expect((await timeAxis(page))[0]).toBe(`${time.getHours()}:${time.getMinutes()}:${time.getSeconds()}`);
  const { dots, strokes } = await drawingOn(page);
  expect(dots).toEqual([4, 4]);
  // The hovered point has markers in the colours of its lines.
  await chartOf(page).hover();
  await until(async () => (await drawingOn(page)).dots.length === 4);
  expect(new Set((await drawingOn(page)).strokes)).toEqual(new Set(strokes));
});

test('a page that is tapped again and again while its scripts start still comes to life', async () => {
  const context = await chromium.browser.newContext();
  // A tap in each task, also between the start of React and its first rendering.
  await context.addInitScript(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      document.body?.click();
      if (performance.now() < 5000) port2.postMessage(0);
    };
    port2.postMessage(0);
  });
  const page = await openTab(context);
  await page.goto(server.url);
  await waitUntilInteractive(page);
});
