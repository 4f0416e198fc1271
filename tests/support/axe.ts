import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}

/** Puts axe into every page that is opened in a browser context. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: axe });
}

/** Returns the serious and critical violations that axe finds, as `rule: element`. */
export async function violationsOn(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    // Axe describes each element of the other results otherwise, which takes most of its time.
    (window as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
