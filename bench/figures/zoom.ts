import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { at } from '../../app/readings/at';
import { until } from '../../tests/support/until';
import { openFreshPage, slowDownProcessor, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { seedStore, startProduct } from '../servers';
import { median } from '../statistics';

const DURATION_MS = 5000;
const WHEEL_EVERY_MS = 16;
/** Wheel events before the direction changes: enough to zoom from 24 points to two and back. More would scroll the page. */
const TURNS = 10;
const ROUNDS = 5;
const LATE_MS = 33;

/** Measures how smoothly the chart follows the wheel on a slow machine. */
export const zoom: Measurement = {
  name: 'zoom',
  async measure() {
    const server = await startProduct(seedStore(5760));
    const lateShares = await withChromium(async (browser) => {
      const { page, devtools } = await openFreshPage(browser);
      await page.goto(`${server.url}/chart?range=24HR`);
      const box = await page.locator('canvas').boundingBox();
      if (!box) throw new Error('the page has no chart');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      // The first wheel event loads the zoom plugin, which isn't measured.
      await until(async () => {
        await page.mouse.wheel(0, -100);
        return page.getByRole('button', { name: 'Reset zoom' }).isVisible();
      });
      await slowDownProcessor(devtools);
      const shares: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const frames = page.evaluate(
          (durationMs) =>
            new Promise<number[]>((resolve) => {
              const times: number[] = [];
              const startedAt = performance.now();
              const record = (now: number) => {
                times.push(now);
                if (now - startedAt < durationMs) requestAnimationFrame(record);
                else resolve(times);
              };
              requestAnimationFrame(record);
            }),
          DURATION_MS,
        );
        const turning = turnWheel(devtools, { x, y });
        const times = await frames;
        await turning.stop();
        const frameTimes = times.slice(1).map((time, i) => time - at(times, i));
        shares.push((frameTimes.filter((ms) => ms > LATE_MS).length / frameTimes.length) * 100);
      }
      return shares;
    });
    await server.stop();
    return [
      {
        name: 'wheel zoom over 24HR, slow processor: frames above 33 ms',
        unit: '%',
        value: median(lateShares),
        target: { atMost: 2 },
      },
    ];
  },
};

/** Zooms in and out with the wheel. Each event waits until the page has processed the previous one. */
function turnWheel(devtools: CDPSession, at: { x: number; y: number }): { stop(): Promise<void> } {
  let isStopped = false;
  const turning = (async () => {
    for (let turns = 0; !isStopped; turns++) {
      const deltaY = Math.floor(turns / TURNS) % 2 === 0 ? -100 : 100;
      const event = { type: 'mouseWheel', ...at, deltaX: 0, deltaY } as const;
      await Promise.all([devtools.send('Input.dispatchMouseEvent', event), sleep(WHEEL_EVERY_MS)]);
    }
  })();
  return {
    stop() {
      isStopped = true;
      return turning;
    },
  };
}
