import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInAnyScheme } from '../support/browser/legible';
import { openPage, withChromium } from '../support/browser/page';
import { type RunningServer, startServer } from '../support/server/server';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

test('/api/docs is complete and accessible without scripts, and asks no other host', async () => {
  const page = await openPage(chromium.browser, 'about:blank', { reducedMotion: 'reduce' });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await page.goto(`${server.url}/api/docs`);
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  expect(await violationsInAnyScheme(page)).toEqual([]);
  const [missing, repeated] = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    const links = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href'));
    return [
      links.filter((link) => !ids.includes(String(link).slice(1))),
      ids.filter((id, i) => ids.indexOf(id) !== i),
    ];
  });
  expect([missing, repeated]).toEqual([[], []]);
  // What is code in the document is set as code.
  expect(await page.getByRole('main').innerText()).not.toContain('`');
  await page.getByRole('link', { name: 'POST /api/data' }).click();
  const operation = page.getByRole('region', { name: 'POST /api/data' });
  await operation.getByText('A reading a line').click();
  await operation.getByText("-H 'Content-Type: application/x-ndjson'").waitFor();
  expect([...hosts]).toEqual([server.url]);
});
