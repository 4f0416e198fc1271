import type { Page } from 'playwright-core';

/** Holds back the script or the styles of that name from a page. Returns what lets them in. */
export async function holdFile(page: Page, name: string): Promise<() => void> {
  let letIn = () => {};
  const held = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  await page.route(`**/assets/${name}-*`, async (route) => {
    await held;
    await route.continue();
  });
  return letIn;
}
