import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartOf, tileOf, waitForPoints } from '../support/browser/dashboard';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000 });
});

afterAll(() => server.stop());

interface Drawn {
  texts: number[];
  lines: number[];
}

/** Records the sizes of drawn elements, in screen pixels, and the wake locks. */
function record(): void {
  const { prototype } = CanvasRenderingContext2D;
  const { fillText, stroke } = prototype;
  const drawn: Drawn = { texts: [], lines: [] };
  const scaleOf = ({ canvas }: CanvasRenderingContext2D) =>
    canvas.getBoundingClientRect().width / canvas.width;
  prototype.fillText = function (...text) {
    const size = Number.parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? '0');
    const { c, d } = this.getTransform();
    // The titles of the axes are rotated.
    drawn.texts.push(size * Math.hypot(c, d) * scaleOf(this));
    fillText.apply(this, text);
  };
  prototype.stroke = function (...path: unknown[]) {
    drawn.lines.push(this.lineWidth * this.getTransform().a * scaleOf(this));
    stroke.apply(this, path as [Path2D]);
  };
  const locks: string[] = [];
  Object.assign(window, { drawn, locks });
  Object.defineProperty(navigator, 'wakeLock', {
    value: {
      request: async (type: string) => {
        locks.push(type);
        return { release: async () => locks.push('released') };
      },
    },
  });
}

test('has a sharp chart with thick lines and large labels, no pointer, and keeps the screen awake while visible', async () => {
  const context = await chromium.browser.newContext({ viewport: { width: 1920, height: 1080 } });
  await context.addInitScript(record);
  const page = await openTab(context);
  const drawn = () => page.evaluate(() => (window as unknown as { drawn: Drawn }).drawn);
  const locks = () => page.evaluate(() => (window as unknown as { locks: string[] }).locks);
  await page.goto(`${server.url}/?wall&range=1HR`);
  const { texts, lines } = await until(async () => {
    const now = await drawn();
    return now.texts.length > 0 && now;
  });
  expect(Math.min(...texts)).toBeGreaterThanOrEqual(0.02 * 1080);
  expect(Math.max(...lines)).toBeGreaterThanOrEqual(5);
  const sharpness = await chartOf(page).evaluate((canvas: HTMLCanvasElement) => {
    return canvas.width / canvas.getBoundingClientRect().width;
  });
  expect(sharpness).toBeCloseTo(1, 1);

  await until(async () => (await locks()).length > 0);
  expect(await locks()).toEqual(['screen']);
  const cursors = await page.evaluate(() =>
    [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => {
      const element = document.elementFromPoint(share * innerWidth, share * innerHeight);
      return element && getComputedStyle(element).cursor;
    }),
  );
  expect(new Set(cursors)).toEqual(new Set(['none']));
  for (const state of ['hidden', 'visible']) {
    await page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }
  await until(async () => (await locks()).length > 1);
  expect(await locks()).toEqual(['screen', 'screen']);
  await page.keyboard.press('Escape');
  await page.getByRole('banner').waitFor();
  expect(new URL(page.url()).search).toBe('?range=1HR');
  await until(async () => (await locks()).at(-1) === 'released');
});

test('the server renders the wall, so nothing else appears first', async () => {
  const html = await (await fetch(`${server.url}/chart?range=1HR&wall`)).text();
  expect(html).not.toContain('know when to open a window');
  expect(html).toMatch(/<article[^>]*aria-label="CO2"/);
  // Other pages ignore the parameter, as does an error page, which needs its links.
  for (const path of ['/postdata?wall', '/?range=1DAY&wall', '/nowhere?wall', '/']) {
    expect([path, await (await fetch(server.url + path)).text()]).toEqual([
      path,
      expect.stringContaining('know when to open a window'),
    ]);
  }
});

test('shows an empty store and a chart without a range', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart?wall`);
  await page.getByText('Waiting for the next reading.').waitFor();
  expect(await page.getByRole('banner').count()).toBe(0);
  await post(server.url, { co2: 431, voc: 43 });
  await tileOf(page, 'CO2').getByText('431', { exact: true }).waitFor();
  await waitForPoints(page, 1);
});

describe('the focus after a wall', () => {
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

  test('is on the button that opened it, however the viewer leaves', async () => {
    const page = await openPage(chromium.browser, server.url);
    const open = page.getByRole('button', { name: 'Full screen' });
    const leave = page.getByRole('button', { name: 'Leave the wall' });
    for (const goAway of [
      () => page.keyboard.press('Escape'),
      async () => {
        await page.keyboard.press('Shift');
        await leave.click();
      },
      async () => {
        await page.keyboard.press('Shift');
        await leave.focus();
        await page.keyboard.press('Enter');
      },
      () => page.goBack(),
    ]) {
      await open.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('banner').waitFor({ state: 'detached' });
      await goAway();
      await open.waitFor();
      await until(async () => (await focused(page)) === 'full-screen');
    }
    // A wall without a page below it.
    await page.goto(`${server.url}/?wall`);
    await page.getByRole('article', { name: 'CO2' }).waitFor();
    await until(async () => {
      await page.keyboard.press('Escape');
      return open.isVisible();
    });
    await until(async () => (await focused(page)) === 'full-screen');
  });

  test('is on the content of a phone, which has no such button', async () => {
    const page = await openPage(chromium.browser, `${server.url}/?wall`, {
      viewport: { width: 390, height: 844 },
    });
    await until(async () => {
      await page.keyboard.press('Escape');
      return page.getByRole('banner').isVisible();
    });
    await until(async () => (await focused(page)) === 'content');
  });
});
