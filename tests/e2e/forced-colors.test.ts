import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitForPoints } from '../support/dashboard';
import { openPage, stopAfterTest, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';

const chromium = withChromium();

const lookOf = (element: Locator) =>
  element.evaluate((node) => {
    const { backgroundColor, color } = getComputedStyle(node);
    return { ground: backgroundColor, ink: color };
  });

test('in forced colours the selected range differs from the others, and disabled ones from enabled ones', async () => {
  const server = await startServerWith(240);
  stopAfterTest(server);
  const page = await openPage(chromium.browser, server.url, { forcedColors: 'active' });
  await waitForPoints(page, 10);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const [selected, other, disabled] = await Promise.all(
    ['10MIN', '1HR', '6HR'].map((name) => lookOf(button(name))),
  );
  expect(selected?.ground).not.toBe(other?.ground);
  expect(selected?.ink).not.toBe(selected?.ground);
  expect(disabled?.ink).not.toBe(other?.ink);

  await page.goto(`${server.url}/chart?range=1HR`);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  expect((await lookOf(link('1HR'))).ground).not.toBe((await lookOf(link('6HR'))).ground);
});
