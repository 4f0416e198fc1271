import { openFreshPage, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { HttpConnection, postRequest } from '../http-connection';
import { seedStore, startProduct } from '../servers';
import { median } from '../statistics';

const POSTS = 100;
const EVERY_MS = 100;

/** Measures the time from a post's response until an open page shows the reading. */
export const postToPixel: Measurement = {
  name: 'post-to-pixel',
  async measure() {
    const server = await startProduct(seedStore(5760));
    const connection = await HttpConnection.open(server.url);
    const waits = await withChromium(async (browser) => {
      const { page } = await openFreshPage(browser);
      await page.goto(server.url);
      const tile = page.getByRole('article', { name: 'CO2' });
      // Wait for the page to be live: it then shows new readings.
      await connection.send(postRequest({ co2: 499, voc: 120 }));
      await tile.getByText('499', { exact: true }).waitFor();
      const waits: number[] = [];
      for (let i = 0; i <= POSTS; i++) {
        const value = 500 + i;
        const paintedAt = tile.evaluate(
          (element, text) =>
            new Promise<number>((resolve) => {
              new MutationObserver((_, observer) => {
                if (!element.textContent?.includes(text)) return;
                observer.disconnect();
                requestAnimationFrame(() =>
                  requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now())),
                );
              }).observe(element, { subtree: true, childList: true, characterData: true });
            }),
          String(value),
        );
        await page.waitForTimeout(EVERY_MS);
        await connection.send(postRequest({ co2: value, voc: 120 }));
        const answeredAt = performance.timeOrigin + performance.now();
        waits.push(Math.max(0, (await paintedAt) - answeredAt));
      }
      // The first insert also ends the loading state.
      return waits.slice(1);
    });
    connection.close();
    await server.stop();
    return [{ name: 'post to pixel p50', unit: 'ms', value: median(waits), target: { atMost: 50 } }];
  },
};
