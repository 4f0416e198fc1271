import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORAGE_KEY } from '../../app/ui/posting/write-key';
import { tileOf, waitUntilInteractive } from '../support/browser/dashboard';
import { openTab, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

const KEY = 'correct-horse-battery';
const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ env: { WRITE_KEY: KEY } });
  const now = Date.now();
  const readings = Array.from({ length: 40 }, (_, i) => ({
    co2: 600 + i,
    voc: 120,
    created_at: new Date(now - (40 - i) * 15_000).toISOString(),
  }));
  await post(server.url, readings, { Authorization: `Bearer ${KEY}` });
});

afterAll(() => server.stop());

/** The largest sum of layout shifts that nobody notices: a fifth of what Core Web Vitals call good. */
const UNNOTICED = 0.02;

interface Shifts {
  shifts: number[];
}

/** Notes a page's layout shifts. Runs in a page, with the write key that its browser remembers. */
function noteShifts({ name, key }: { name: string; key: string | null }): void {
  if (key) localStorage.setItem(name, key);
  const shifts: number[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
  }).observe({ type: 'layout-shift', buffered: true });
}

test.each([
  [390, null],
  [390, KEY],
  [1440, null],
  [1440, KEY],
])(
  'with a WRITE_KEY nothing moves while the dashboard and /postdata load, at %d px with the remembered key %s',
  async (width, key) => {
    const context = await chromium.browser.newContext({ viewport: { width, height: 900 } });
    await context.addInitScript(noteShifts, { name: STORAGE_KEY, key });
    const page = await openTab(context);
    for (const path of ['/', '/postdata']) {
      await page.goto(server.url + path);
      await waitUntilInteractive(page);
      if (path === '/') await tileOf(page, 'CO2').waitFor();
      else await page.getByLabel(key ? 'CO2 reading:' : /write key/).waitFor();
      // The browser tells of a shift after the frame that has it.
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
      const shifts = await page.evaluate(() => (window as unknown as Shifts).shifts);
      expect(
        shifts.reduce((sum, shift) => sum + shift, 0),
        path,
      ).toBeLessThan(UNNOTICED);
    }
    await context.close();
  },
);
