import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBaseline, gzippedKB } from '../build-baseline';
import { openFreshPage, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { seedStore, startProduct } from '../servers';

const CHUNKS = {
  react: /react-dom|react\/|scheduler/,
  remix: /remix-run|turbo-stream/,
  chart: /chart\.js|kurkle/,
};

const ASSETS = 'build/client/assets';
const SETTLE_MS = 3000;

/** Measures the bytes that a first visit to the dashboard loads. */
export const size: Measurement = {
  name: 'size',
  async measure() {
    const server = await startProduct(seedStore(5760));
    const { html, scripts } = await withChromium(async (browser) => {
      const { page } = await openFreshPage(browser);
      const scripts: Promise<Buffer>[] = [];
      page.on('response', (response) => {
        if (response.request().resourceType() === 'script') scripts.push(response.body());
      });
      const document = await page.goto(server.url);
      // The page loads more scripts after its load event.
      await page.waitForTimeout(SETTLE_MS);
      return { html: await document?.body(), scripts: await Promise.all(scripts) };
    });
    await server.stop();
    const htmlKB = gzippedKB([html ?? '']);
    const scriptsKB = gzippedKB([...scripts, ...workerScripts()]);
    return [
      {
        name: 'HTML and JavaScript of /, gzipped',
        unit: 'kB',
        value: htmlKB + scriptsKB,
        baseline: gzippedKB(await buildBaseline('bundle', CHUNKS)),
        target: { atMost: 1.2 },
      },
      { name: 'HTML of /, gzipped', unit: 'kB', value: htmlKB, target: { atMost: 12 } },
    ];
  },
};

/** Returns the scripts of workers, whose requests the page doesn't report. */
function workerScripts(): Buffer[] {
  const names = readdirSync(ASSETS).filter((name) => /^event-source-worker-.*\.js$/.test(name));
  if (names.length === 0)
    throw new Error('no event-source-worker-*.js in the build: the script of the worker has been renamed');
  return names.map((name) => readFileSync(join(ASSETS, name)));
}
