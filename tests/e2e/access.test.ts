import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartOf, waitUntilInteractive } from '../support/browser/dashboard';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { post, readAll } from '../support/server/api';
import { freePort, type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

describe('other origins', () => {
  const chromium = withChromium();
  let server: RunningServer;
  let elsewhere: Server;
  let elsewhereUrl: string;

  beforeAll(async () => {
    server = await startServer({ env: { ALLOW_EMBED: 'true' } });
    const port = await freePort();
    // A different port is a different origin.
    elsewhere = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
    }).listen(port, '127.0.0.1');
    elsewhereUrl = `http://127.0.0.1:${port}`;
  });

  afterAll(async () => {
    elsewhere.close();
    await server.stop();
  });

  test('a page of another origin can neither post nor read', async () => {
    const before = await readAll(server.url);
    const page = await openPage(chromium.browser, elsewhereUrl);
    const outcomes = await page.evaluate(async (url) => {
      const body = '{"co2": 666, "voc": 666}';
      const attempt = (init: RequestInit) =>
        fetch(`${url}/api/data`, init).then(
          async (answer) => `${answer.type} ${await answer.text()}`,
          () => 'failed',
        );
      const frame = document.createElement('iframe');
      frame.name = 'frame';
      document.body.append(frame);
      const form = document.createElement('form');
      Object.assign(form, {
        action: `${url}/api/data`,
        method: 'post',
        enctype: 'text/plain',
        target: 'frame',
      });
      const field = document.createElement('input');
      Object.assign(field, { name: '{"co2": 666, "voc": 666, "a": "', value: '"}' });
      form.append(field);
      document.body.append(form);
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      form.submit();
      await loaded;
      navigator.sendBeacon(`${url}/api/data`, body);
      return Promise.all([
        attempt({ method: 'POST', body }),
        attempt({ method: 'POST', body, headers: { 'Content-Type': 'application/json' } }),
        attempt({ method: 'POST', body, mode: 'no-cors' }),
        attempt({ method: 'POST', body, mode: 'no-cors', referrerPolicy: 'no-referrer' }),
        attempt({}),
      ]);
    }, server.url);
    expect(outcomes).toEqual(['failed', 'failed', 'opaque ', 'opaque ', 'failed']);
    expect(await readAll(server.url)).toEqual(before);
    // The browser logs each blocked request.
    expect(page.complaints.length).toBeGreaterThan(0);
    page.complaints = [];
  });

  test('ALLOW_EMBED lets other sites frame only the chart', async () => {
    const page = await openPage(chromium.browser, elsewhereUrl);
    const framed = async (path: string) => {
      await page.evaluate((src) => {
        const frame = document.createElement('iframe');
        frame.src = src;
        document.body.replaceChildren(frame);
        return new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      }, server.url + path);
      const [, frame] = page.frames();
      return frame?.url() ?? '';
    };
    expect(await framed('/chart?range=10MIN')).toBe(`${server.url}/chart?range=10MIN`);
    expect(await framed('/')).toMatch(/^chrome-error:/);
    expect(await framed('/postdata')).toMatch(/^chrome-error:/);
    page.complaints = [];
  });

  test('no page violates its Content-Security-Policy, which blocks and reports an injected script', async () => {
    const before = (await readAll(server.url)).length;
    await Promise.all(
      Array.from({ length: 45 }, (_, i) =>
        post(server.url, { co2: 400 + i, voc: 100, note: '<script>hacked()</script>' }),
      ),
    );
    const context = await chromium.browser.newContext();
    const seen: string[] = [];
    await context.exposeFunction('report', (text: string) => seen.push(text));
    await context.addInitScript(() => {
      const { report } = globalThis as unknown as { report(text: string): void };
      Object.assign(globalThis, { hacked: () => report('markup ran') });
      document.addEventListener('securitypolicyviolation', (event) => {
        report(`${event.violatedDirective} ${event.blockedURI} on ${event.documentURI}`);
      });
    });
    const markup = encodeURIComponent('"><img src=x onerror=hacked()><script>hacked()</script>');
    const page = await openTab(context);
    // The valid address comes last, because the test continues on its page. For all other pages, see every-page.test.ts.
    for (const path of [`/${markup}`, `/chart?range=${markup}`, `/?x=${markup}#${markup}`]) {
      await page.goto(server.url + path);
      await page.getByRole('heading').first().waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
    }
    const chart = chartOf(page);
    await chart.waitFor();
    await chart.hover();
    await page.mouse.wheel(0, -300);
    await page.mouse.down();
    await page.mouse.move(400, 400, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'POST RANDOM DATA' }).click();
    await until(async () => (await readAll(server.url)).length === before + 46);
    await page.goto(`${server.url}/postdata`);
    await page.getByLabel('CO2 reading:').fill('<script>hacked()</script>');
    await page.getByLabel('VOC reading:').fill('"><img src=x onerror=hacked()>');
    await page.getByRole('button', { name: 'POST', exact: true }).click();
    await page
      .getByText(/must be a number/)
      .first()
      .waitFor();
    expect(seen).toEqual([]);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'hacked()';
      document.body.append(script);
    });
    await until(() => seen.length > 0);
    expect(seen).toEqual([`script-src-elem inline on ${server.url}/postdata`]);
    page.complaints = page.complaints.filter((text) => !/status of 4\d\d|violates the following/.test(text));
  });
});

describe('the write key', () => {
  const KEY = 'correct-horse-battery';
  const chromium = withChromium();
  let server: RunningServer;

  const keyField = (page: Page) => page.getByLabel(/write key/);
  const randomButton = (page: Page) => page.getByRole('button', { name: 'POST RANDOM DATA' });

  async function enterKey(page: Page, key: string): Promise<void> {
    await keyField(page).fill(key);
    await page.getByRole('button', { name: 'Remember the key' }).click();
  }

  beforeAll(async () => {
    server = await startServer({ env: { WRITE_KEY: KEY } });
  });

  afterAll(() => server.stop());

  test('a visitor without the key sees no post button, and nothing is posted automatically', async () => {
    const before = await readAll(server.url);
    const context = await chromium.browser.newContext();
    await context.clock.install();
    const [dashboard, panel] = [await openTab(context), await openTab(context)];
    const posts: string[] = [];
    context.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url());
    });
    await Promise.all([dashboard.goto(server.url), panel.goto(`${server.url}/postdata`)]);
    await keyField(panel).waitFor();
    await waitUntilInteractive(dashboard);
    expect(await randomButton(dashboard).count()).toBe(0);
    expect(await panel.getByRole('switch').count()).toBe(0);
    await context.clock.runFor(60_000);
    expect(posts).toEqual([]);
    expect(await readAll(server.url)).toEqual(before);
  });

  test('asks for the key once and remembers it in this browser only', async () => {
    const before = (await readAll(server.url)).length;
    const page = await openPage(chromium.browser, `${server.url}/postdata`);
    await enterKey(page, `  ${KEY} `);
    await page.getByLabel('CO2 reading:').fill('415');
    await page.getByLabel('VOC reading:').fill('120');
    await page.getByRole('button', { name: 'POST', exact: true }).click();
    await page.getByText(/^Stored as reading/).waitFor();
    expect((await readAll(server.url)).slice(before)).toMatchObject([{ co2: 415, voc: 120 }]);
    // The key is checked with an empty batch, which gets 400.
    page.complaints = page.complaints.filter((text) => !text.includes('400'));

    await page.goto(server.url);
    await randomButton(page).click();
    await until(async () => (await readAll(server.url)).length === before + 2);
    await page.getByRole('link', { name: 'Post data' }).first().click();
    await page.getByRole('switch').waitFor();
    expect(await keyField(page).count()).toBe(0);

    const other = await openPage(chromium.browser, `${server.url}/postdata`);
    await keyField(other).waitFor();
  });

  /** Another word, non-ASCII letters, text that no header can carry, the key twice, and thousands of letters. */
  const WRONG_KEYS = ['wrong', 'schlüssel', 'ключ 🔑', `${KEY} ${KEY}`, 'x'.repeat(5000)];

  test('rejects and forgets a wrong key when it is entered, on the dashboard too, and stores nothing', async () => {
    const before = await readAll(server.url);
    const page = await openPage(chromium.browser, `${server.url}/postdata`);
    for (const key of WRONG_KEYS) {
      await page.goto(`${server.url}/postdata`);
      await enterKey(page, key);
      await page.getByRole('alert').filter({ hasText: "isn't a valid write key" }).waitFor();
      await keyField(page).waitFor();
      expect(await page.evaluate(() => Object.values(localStorage).join())).not.toContain(key);
      expect(await readAll(server.url), key.slice(0, 50)).toEqual(before);
    }

    // The dashboard reports a remembered key that has become invalid.
    await page.evaluate(() => localStorage.setItem('airboard.write-key', 'last-year'));
    await page.goto(server.url);
    await randomButton(page).click();
    await page.getByRole('alert').filter({ hasText: "isn't a valid write key" }).waitFor();
    expect(await randomButton(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Enter it again' }).click();
    await keyField(page).waitFor();
    // The browser logs each 401.
    page.complaints = page.complaints.filter((text) => !text.includes('401'));
  });
});
