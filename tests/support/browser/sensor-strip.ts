import type { Locator, Page } from 'playwright-core';

export const stripOf = (page: Page) => page.getByRole('navigation', { name: 'Sensors' });
export const linksOf = (page: Page) => stripOf(page).getByRole('link');
export const linkTo = (page: Page, name: string) => linksOf(page).filter({ hasText: name });
export const cardOf = (page: Page, name: string) => page.getByRole('region', { name });
export const namesIn = (page: Page) => linksOf(page).locator('bdi').allTextContents();
export const boxOf = async (element: Locator) =>
  (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
/** Returns the boxes of all elements, in one question to the page: asking for each of forty takes a second. */
export const boxesOf = (elements: Locator) =>
  elements.evaluateAll((nodes) =>
    nodes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
