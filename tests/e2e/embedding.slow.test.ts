import { createServer, type Server } from 'node:http';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { freePort, type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const KEY = 'correct-horse-battery';
const FRAMED = ['/', '/?wall', '/chart?range=1HR', '/history?span=day'];

/** Chromium's message where a frame may not keep the screen on, and a post's that a test sends itself. */
const EXPECTED = /screen-wake-lock|status of 401/;

/** What Home Assistant allows a page on its dashboards. */
const SANDBOX =
  'allow-forms allow-popups allow-pointer-lock allow-same-origin allow-scripts allow-modals allow-downloads';

describe('frames of other sites', () => {
  const chromium = withChromium();
  let server: RunningServer;
  let listed: Server;
  let unlisted: Server;
  let highest = 1000;
  /** The same server under two names: another site than airboard's, and the same site with another port. */
  let sites: { other: string; same: string; unlisted: string };

  /** Serves a page with the frame that its query asks for. */
  const frameOf = async (port: number) =>
    createServer(({ url }, response) => {
      const { searchParams } = new URL(url ?? '', 'http://localhost');
      const [src, allow] = [searchParams.get('src'), searchParams.get('allow') ?? ''];
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><title>Elsewhere</title><iframe width="1100" height="800" sandbox="${SANDBOX}" allow="${allow}" src="${src}"></iframe>`,
      );
    }).listen(port, '127.0.0.1');

  beforeAll(async () => {
    const [port, otherPort] = [await freePort(), await freePort()];
    sites = {
      other: `http://localhost:${port}`,
      same: `http://127.0.0.1:${port}`,
      unlisted: `http://localhost:${otherPort}`,
    };
    [listed, unlisted] = [await frameOf(port), await frameOf(otherPort)];
    server = await startServer({
      env: {
        WRITE_KEY: KEY,
        ALLOW_EMBED: `${sites.other}, ${sites.same}`,
        NOTIFY_URLS: `http://127.0.0.1:${otherPort}/hook`,
      },
    });
    await send(600);
    const from = new Date().toISOString();
    const note = await fetch(`${server.url}/api/notes`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ text: 'six people', from }),
    });
    expect(note.status).toBe(201);
  });
  afterAll(async () => {
    listed.close();
    unlisted.close();
    await server.stop();
  });

  const send = (co2: number) => post(server.url, { co2, voc: 120 }, { Authorization: `Bearer ${KEY}` });

  /** Opens a site's page with a frame, and returns the frame. */
  async function openFrame(page: Page, site: string, path: string, allow = ''): Promise<Frame> {
    await page.goto(`${site}/?${new URLSearchParams({ src: server.url + path, allow })}`);
    return page.frames()[1] as Frame;
  }

  /** Waits until the frame shows a reading that is posted now. */
  async function expectLive(frame: Frame): Promise<void> {
    await frame.locator('main').waitFor();
    // The highest of the day, which the history shows.
    highest += 1;
    const co2 = highest;
    await send(co2);
    await until(async () => {
      const seen = await frame.evaluate(
        () =>
          document.body.innerText +
          [...document.querySelectorAll('[aria-label]')]
            .map((node) => node.getAttribute('aria-label'))
            .join(),
      );
      return seen.replaceAll(',', '').includes(String(co2));
    });
  }

  test.each(FRAMED)('%s is live in a frame of a listed site, and nothing in it can post', async (path) => {
    for (const site of [sites.other, sites.same]) {
      const context = await chromium.browser.newContext();
      const page = await openTab(context);
      // Remembered for airboard's own pages, and readable in a frame on the same site.
      await page.goto(`${server.url}/api/docs`);
      await page.evaluate((key) => localStorage.setItem('airboard.write-key', key), KEY);
      const writes: string[] = [];
      context.on('request', (request) => {
        if (!['GET', 'HEAD'].includes(request.method())) writes.push(`${request.method()} ${request.url()}`);
      });
      const frame = await openFrame(page, site, path);
      await expectLive(frame);

      const html = frame.locator('html');
      expect(await html.getAttribute('data-framed')).toBe('');
      expect(await html.getAttribute('data-write-key')).toBeNull();
      const writing = /POST|Add a note|Delete|Notify|Full screen|key|Post|Notifications/;
      expect(await frame.getByRole('button', { name: writing }).count()).toBe(0);
      expect(await frame.getByRole('link', { name: writing }).count()).toBe(0);
      expect(await frame.locator('form').count()).toBe(0);
      const links = await frame
        .locator('a[href]')
        .evaluateAll((nodes) => nodes.map((node) => new URL((node as HTMLAnchorElement).href).pathname));
      const reached = new Set(links.filter((link) => !link.startsWith('/api/')));
      for (const link of reached) expect(['/', '/chart', '/history']).toContain(link);

      // Presses each button, and each key that could submit something.
      for (const button of await frame.locator('button:visible:enabled').all())
        await button.click({ force: true, timeout: 1000 }).catch(() => {});
      await page.keyboard.press('Enter');
      expect(writes).toEqual([]);
      expect(
        await frame.evaluate(
          async () => (await fetch('/api/data', { method: 'POST', body: '{"co2": 1}' })).status,
        ),
      ).toBe(401);
      expect(page.frames()[1]?.url()).toContain(server.url);
      page.complaints = page.complaints.filter((text) => !EXPECTED.test(text));
      expect(page.complaints).toEqual([]);
      await context.close();
    }
  });

  test('its links stay in the frame', async () => {
    const page = await openTab(await chromium.browser.newContext());
    const frame = await openFrame(page, sites.other, '/');
    for (const [name, path, heading] of [
      ['History', '/history', 'History'],
      ['Chart', '/chart', 'Chart'],
      ['Dashboard', '/', 'Air quality now'],
    ] as const) {
      await frame.getByRole('link', { name, exact: true }).click();
      await until(() => new URL(frame.url()).pathname === path);
      await frame.getByRole('heading', { name: heading, level: 1 }).waitFor({ state: 'attached' });
    }
    expect(
      await frame.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents(),
    ).toEqual(['Dashboard', 'History', 'Chart']);
  });

  test('a link to the form for a note opens no form in a frame', async () => {
    const page = await openTab(await chromium.browser.newContext());
    const frame = await openFrame(page, sites.same, '/history#add-note');
    await frame.getByText('six people').first().waitFor();
    expect(await frame.getByRole('form').count()).toBe(0);
    expect(await frame.getByLabel(/^Note$|write key/).count()).toBe(0);
  });

  test('a wall in a frame can be left, and full screen is offered where the frame allows it', async () => {
    const page = await openTab(await chromium.browser.newContext());
    let frame = await openFrame(page, sites.other, '/?wall');
    await expectLive(frame);
    await frame.locator('main').click({ force: true });
    await frame.getByRole('button', { name: 'Leave the wall' }).click();
    await frame.getByRole('link', { name: 'History' }).waitFor();
    expect(await frame.getByRole('button', { name: 'Full screen' }).count()).toBe(0);
    frame = await openFrame(page, sites.other, '/?wall', 'fullscreen');
    await expectLive(frame);
    await frame.locator('main').click({ force: true });
    await page.keyboard.press('Escape');
    await frame.getByRole('button', { name: 'Full screen' }).waitFor();
    page.complaints = page.complaints.filter((text) => !EXPECTED.test(text));
  });

  test.each(['/', '/history?span=day'])(
    '%s is live in a frame whose storage the browser denies',
    async (path) => {
      const context = await chromium.browser.newContext();
      await context.addInitScript(() => {
        if (window === top) return;
        const deny = () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        };
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
          Object.defineProperty(window, name, { get: deny });
        Object.assign(window, { SharedWorker: deny });
      });
      const page = await openTab(context);
      const uncaught: string[] = [];
      page.on('pageerror', ({ stack = '' }) => uncaught.push(stack));
      await expectLive(await openFrame(page, sites.other, path));
      expect(uncaught).toEqual([]);
      page.complaints = [];
    },
  );

  test('the browser refuses other sites, and other pages', async () => {
    const page = await openTab(await chromium.browser.newContext());
    const shown = async (site: string, path: string) => {
      const frame = await openFrame(page, site, path);
      return frame.url().startsWith(server.url);
    };
    for (const path of FRAMED) {
      expect(await shown(sites.other, path)).toBe(true);
      expect(await shown(sites.unlisted, path)).toBe(false);
    }
    for (const path of ['/postdata', '/notifications', '/api/docs', '/no-page'])
      expect(await shown(sites.other, path)).toBe(false);
    (page as WatchedPage).complaints = [];
  });
});
