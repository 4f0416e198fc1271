import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  boxOf,
  cardOf,
  linksOf,
  linkTo,
  namesIn,
  stripOf,
  waitUntilInteractive,
} from '../support/browser/dashboard';
import { openPage, withChromium } from '../support/browser/page';
import { startServerWithSensors } from '../support/readings/sensors';
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();

describe('with four sensors', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServerWithSensors([
      { co2: 600, voc: 120, ageMs: 5000 },
      { sensor: 'Bedroom', co2: 1400, voc: null, ageMs: 1000 },
      { sensor: 'Lab', co2: null, voc: 900, ageMs: 5000 },
      { sensor: 'Attic', co2: 3000, voc: 100, ageMs: 1_200_000 },
    ]);
  });

  afterAll(() => server.stop());

  test('the worst sensor comes first and a silent one last, each with value, level, age and frame', async () => {
    const page = await openPage(chromium.browser, server.url);
    await waitUntilInteractive(page);
    expect(await namesIn(page)).toEqual(['Lab', 'Bedroom', 'Unnamed sensor', 'Attic']);
    await stripOf(page)
      .getByRole('link', { name: /^Lab 900 PPB poor, \d+ (s|min) ago$/ })
      .waitFor();
    await stripOf(page)
      .getByRole('link', { name: /^Attic 3000 PPM 2\d min ago$/ })
      .waitFor();
    // In forced colours, a worse level has a heavier frame, and a stale sensor a dashed one.
    await page.emulateMedia({ forcedColors: 'active' });
    const frames = await linksOf(page).evaluateAll((links) =>
      links.map((link) => {
        const { borderTopWidth, borderTopStyle } = getComputedStyle(link);
        return `${borderTopWidth} ${borderTopStyle}`;
      }),
    );
    expect(frames).toEqual(['4px solid', '4px double', '2px solid', '2px dashed']);
  });

  test('a tap shows another sensor without reloading the page, here and on the next page', async () => {
    const page = await openPage(chromium.browser, `${server.url}/?sensor=Bedroom&range=10MIN`);
    await waitUntilInteractive(page);
    await page.waitForFunction(() => document.title === '1400 PPM, moderate – Bedroom – airboard');
    expect(await linkTo(page, 'Bedroom').getAttribute('aria-current')).toBe('page');
    const voc = page.getByRole('article', { name: 'VOC' });
    await page.getByRole('img', { name: /^Line chart of Bedroom from .* VOC not measured\./ }).waitFor();
    await page.getByRole('group', { name: 'Lines of the chart' }).getByText('VOC (not measured)').waitFor();
    expect(await voc.count()).toBe(0);
    await page.evaluate(() => Object.assign(window, { isSame: true }));

    await linkTo(page, 'Unnamed').click();
    await page.waitForFunction(() => document.title === '600 PPM, good – Unnamed sensor – airboard');
    await voc.getByText('120').waitFor();
    await cardOf(page, 'Readings – Unnamed sensor').waitFor();
    await page.getByRole('img', { name: /^Line chart of the unnamed sensor/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?sensor=&range=10MIN');
    await page.getByRole('link', { name: 'Chart', exact: true }).click();
    await page.waitForFunction(() => document.title === 'Chart of the unnamed sensor – airboard');
    await cardOf(page, 'Chart – Unnamed sensor').waitFor();
    await page.goBack();
    await page.goBack();
    await cardOf(page, 'Readings – Bedroom').waitFor();
    expect(await page.evaluate(() => (window as { isSame?: boolean }).isSame)).toBe(true);
  });

  test('the keyboard chooses a sensor and keeps its focus, and an address without a sensor shows the chosen one', async () => {
    const page = await openPage(chromium.browser, server.url);
    await waitUntilInteractive(page);
    await linkTo(page, 'Lab').focus();
    // The strip is one tab stop.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await cardOf(page, 'Readings – Bedroom').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Bedroom');
    const { outlineStyle } = await page.evaluate(() => ({
      outlineStyle: getComputedStyle(document.activeElement as Element).outlineStyle,
    }));
    expect(outlineStyle).toBe('solid');
    await page.goto(`${server.url}/chart?range=1HR`);
    await cardOf(page, 'Chart – Bedroom').waitFor();
    expect(await page.title()).toBe('Chart of Bedroom – airboard');
  });

  test('without JavaScript the strip has plain links, and the newest reading names its sensor', async () => {
    const page = await openPage(chromium.browser, server.url, { javaScriptEnabled: false });
    await linkTo(page, 'Lab').click();
    await page.waitForURL(/sensor=Lab/);
    expect(await page.locator('body').innerText()).toContain('Newest reading of Lab: VOC 900 PPB at ');
    expect(await page.title()).toBe('Lab – airboard');
  });

  test('a wall has no strip, but names its sensor, and its chart omits an unmeasured metric', async () => {
    const page = await openPage(chromium.browser, `${server.url}/?sensor=Bedroom&wall`);
    const legend = page.getByRole('group', { name: 'Lines of the chart' });
    await legend.getByText('CO2 (PPM)').waitFor();
    expect(await legend.getByText('VOC').count()).toBe(0);
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.textContent()).toContain('Bedroom');
    expect((await boxOf(heading.locator('bdi'))).height).toBeGreaterThan(20);
    expect(await stripOf(page).count()).toBe(0);
  });
});

describe('with sensors that post', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServerWithSensors(
      [{ sensor: 'Bedroom', co2: 600, voc: 120, ageMs: 1000 }],
      // The page of a sensor without readings would post one after 15 s.
      { RANDOM_POSTS: 'false' },
    );
  });

  afterAll(() => server.stop());

  test('a single sensor has no strip, a second one adds it and updates it, and a third joins', async () => {
    const page = await openPage(chromium.browser, server.url);
    await page.waitForFunction(() => document.title === '600 PPM, good – Bedroom – airboard');
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Readings – Bedroom');
    expect(await stripOf(page).count()).toBe(0);
    await post(server.url, { co2: 700, voc: 130, sensor: 'Lab' });
    await linkTo(page, 'Lab').getByText('700 PPM').waitFor();
    await post(server.url, { co2: 2500, voc: 130, sensor: 'Lab' });
    await linkTo(page, 'Lab').getByText('2500 PPM').waitFor();
    await until(async () => (await namesIn(page)).join() === 'Lab,Bedroom');
    expect(await page.getByRole('article', { name: 'CO2' }).textContent()).toContain('600');
    await post(server.url, { co2: 1500, voc: null, sensor: 'Cellar' });
    await until(async () => (await namesIn(page)).join() === 'Lab,Cellar,Bedroom');
  });

  test('the shown sensor stays while another one posts', async () => {
    await post(server.url, { co2: 600, voc: 120, sensor: 'Bedroom' });
    const page = await openPage(chromium.browser, server.url);
    const postOther = () => post(server.url, { co2: 700, voc: 130, sensor: 'Lab' });
    await cardOf(page, 'Readings – Bedroom').waitFor();
    await until(async () => (await page.context().cookies()).some(({ value }) => value === 'Bedroom'));
    await postOther();
    await page.reload();
    await cardOf(page, 'Readings – Bedroom').waitFor();
    await waitUntilInteractive(page);
    await postOther();
    await page.getByRole('link', { name: 'Chart', exact: true }).click();
    await cardOf(page, 'Chart – Bedroom').waitFor();
    await postOther();
    await page.getByRole('link', { name: '1HR', exact: true }).click();
    await page.waitForURL(/range=1HR/);
    await cardOf(page, 'Chart – Bedroom').waitFor();
    // Somebody else who opens this address sees the same sensor.
    await page.waitForURL(
      ({ searchParams }) => searchParams.get('range') === '1HR' && searchParams.get('sensor') === 'Bedroom',
    );
  });

  test('a wall of a sensor without readings names it, and shows its first reading', async () => {
    const page = await openPage(chromium.browser, `${server.url}/?sensor=Cabin&wall`);
    const text = page.getByText('No reading of a sensor named Cabin yet.');
    await text.waitFor();
    await page.getByText('Waiting for the next reading.').waitFor();
    await post(server.url, { co2: 431, voc: 100, sensor: 'Cabin' });
    await page.getByRole('article', { name: 'CO2' }).getByText('431').waitFor();
    expect(await text.count()).toBe(0);
  });

  test('a page of a sensor without readings says so, links to the others and shows the first reading', async () => {
    const page = await openPage(chromium.browser, 'about:blank');
    for (const path of ['/', '/chart']) {
      const name = `Shed ${path}`;
      await page.goto(`${server.url}${path}?sensor=${encodeURIComponent(name)}`);
      await page.getByText(`No reading of a sensor named ${name} yet.`).waitFor();
      await linkTo(page, 'Bedroom').waitFor();
      await post(server.url, { co2: 432, voc: 100, sensor: name });
      await page.getByText(`No reading of a sensor named ${name} yet.`).waitFor({ state: 'detached' });
      await linkTo(page, name).getByText('432 PPM').waitFor();
      if (path === '/') await page.getByRole('article', { name: 'CO2' }).getByText('432').waitFor();
    }
  });

  test('posting by hand goes to the shown sensor, even without readings', async () => {
    const page = await openPage(chromium.browser, `${server.url}/postdata?sensor=Barn`);
    await cardOf(page, 'Post data – Barn').waitFor();
    await page.getByText('No reading of a sensor named Barn yet.').waitFor();
    await waitUntilInteractive(page);
    await page.getByLabel('CO2 reading:').fill('451');
    await page.getByLabel('VOC reading:').fill('99');
    await page.getByRole('button', { name: 'POST', exact: true }).click();
    await page.getByText(/^Stored as reading \d+ of Barn: CO2 451 PPM, VOC 99 PPB at/).waitFor();
    await cardOf(page, 'Newest readings – Barn').getByRole('cell', { name: '451' }).waitFor();
    expect(await page.title()).toBe('Post data – Barn – airboard');
    await page.getByText('No reading of a sensor named Barn yet.').waitFor({ state: 'detached' });
    await linkTo(page, 'Barn').getByText('451 PPM').waitFor();
  });
});
