import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}

/** The rules that depend on the colour scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const SERIOUS = ['serious', 'critical'];

/**
 * Returns the violations that axe finds in a light and a dark scheme and in forced colours, as `rule: element`. The page
 * has to prefer reduced motion, so that nothing is between two colours.
 */
export async function violationsInAnyScheme(page: Page, impacts = SERIOUS): Promise<string[]> {
  await page.evaluate(AXE);
  const light = await violationsOn(page, impacts);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violationsOn(page, impacts, COLOR_RULES);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  const forced = await violationsOn(page, impacts, COLOR_RULES);
  await page.emulateMedia({ forcedColors: 'none' });
  return [
    ...light,
    ...dark.map((violation) => `dark: ${violation}`),
    ...forced.map((violation) => `forced colours: ${violation}`),
  ];
}

async function violationsOn(page: Page, impacts: string[], rules?: string[]): Promise<string[]> {
  const { violations } = await page.evaluate(
    (runOnly) =>
      // Axe describes each element of the other results otherwise, which takes most of its time.
      (window as unknown as { axe: Axe }).axe.run({
        resultTypes: ['violations'],
        ...(runOnly && { runOnly }),
      }),
    rules,
  );
  return violations
    .filter(({ impact }) => impacts.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
