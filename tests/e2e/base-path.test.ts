import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartOf, linkTo } from '../support/browser/dashboard';
import { openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

const READ_KEY = 'enough-battery-staple';
const WITH_KEY = { Authorization: `Bearer ${READ_KEY}` };
const chromium = withChromium();
let server: RunningServer;
/** The address of the dashboard, `http://127.0.0.1:PORT/air/`. */
let board: string;

beforeAll(async () => {
  server = await startServerWith(60, {
    endMs: 5000,
    env: { BASE_PATH: '/air', RANDOM_POSTS: 'true', NOTIFY_URLS: 'ntfy://127.0.0.1:9/none', READ_KEY },
  });
  board = `${server.url}/air/`;
});

afterAll(() => server.stop());

const PAGES = readdirSync('app/routes')
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => file.replace(/^_index|\.tsx$/g, '').replace('.tsx', ''));

/** Opens a page in a new browser with the key, and notes the requests that it makes. */
async function open(path: string, options: object = {}): Promise<WatchedPage & { requested: string[] }> {
  const context = await chromium.browser.newContext(options);
  const page = Object.assign(await openTab(context), { requested: [] as string[] });
  // Those of workers too.
  context.on('response', (response) => {
    page.requested.push(`${response.status()} ${response.url().replace(server.url, '')}`);
  });
  await page.goto(board + path);
  await page.getByLabel(/read key/).fill(READ_KEY);
  await page.getByRole('button', { name: 'Open the page' }).click();
  await page.waitForURL(board + path);
  // Enabled once the page's scripts run.
  await page.locator('select:enabled').first().waitFor();
  page.complaints = [];
  return page;
}

const astray = ({ requested }: { requested: string[] }) =>
  requested.filter((each) => !/^([23]\d\d \/air\/|401 \/air\/[a-z]*$|200 data:)/.test(each));

test.each(PAGES)('the page "%s" loads its scripts, styles and data from below the path', async (path) => {
  const page = await open(path);
  await until(() => page.requested.some((each) => each.includes('/air/assets/tailwind-')));
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll('[href], [action], [src]')]
      .map((element) => element.getAttribute('href') ?? element.getAttribute('action') ?? '')
      .filter((address) => address.startsWith('/') && !address.startsWith('/air/')),
  );
  expect(outside).toEqual([]);
  expect(astray(page)).toEqual([]);
});

test('pages are live, follow links, change ranges and post below the path, and choices are kept', async () => {
  const page = await open('');
  await chartOf(page).waitFor();
  await page.getByRole('button', { name: 'POST RANDOM DATA' }).click();
  await post(`${server.url}/air`, { co2: 1777, voc: 90 });
  await page.getByText('1777').first().waitFor();
  const metrics = async () => (await fetch(`${board}metrics`, { headers: WITH_KEY })).text();
  await until(async () => /^airboard_event_streams [1-9]/m.test(await metrics()));
  await post(`${server.url}/air`, { sensor: 'Kitchen', co2: 555 });
  await linkTo(page, 'Kitchen').click();
  await page.waitForURL(`${board}?sensor=Kitchen`);
  await page.getByText('555').first().waitFor();
  await page.getByRole('link', { name: 'Chart', exact: true }).first().click();
  await page.waitForURL(`${board}chart?**`);
  await page.getByRole('link', { name: '1HR' }).click();
  await page.waitForURL(/\/air\/chart\?.*range=1HR/);
  await page.getByRole('link', { name: 'History' }).click();
  await page.waitForURL(/\/air\/history/);
  await page.locator('canvas').first().waitFor();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.waitForURL(/\/air\/(\?.*)?$/);
  await page.goBack();
  await page.waitForURL(/\/air\/history/);
  await page.goForward();
  await page.waitForURL(/\/air\/(\?.*)?$/);
  await page.getByLabel('Colours').selectOption('dark');
  await page.reload();
  expect(await page.locator('html').getAttribute('data-scheme')).toBe('dark');
  const cookies = (await page.context().cookies(board)).map(({ name, path }) => `${name} ${path}`);
  expect(cookies.sort()).toEqual(['airboard-reader /air', 'colors /air', 'sensor /air']);
  // The wall, whose code the page loads before it starts.
  await page.goto(`${board}?wall`);
  await page.locator('canvas').first().waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(astray(page)).toEqual([]);
});

test('the service worker is below the path, and opens the dashboard without a server', async () => {
  const page = await open('', { serviceWorkers: 'allow' });
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(scope).toBe(board);
  await page.reload();
  const isKept = () => page.evaluate(async () => Boolean(await caches.match(location.href)));
  await until(isKept);
  await page.context().setOffline(true);
  await page.goto(board);
  await page.getByText(/^Not connected/).waitFor();
  page.complaints = [];
});

test('addresses outside lead to the path or say it, and lists and descriptions name it', async () => {
  const get = (path: string) => fetch(server.url + path, { redirect: 'manual', headers: WITH_KEY });
  for (const path of ['/', '/air']) {
    const answer = await get(`${path}?sensor=Kitchen`);
    expect([answer.status, answer.headers.get('Location')]).toEqual([308, '/air/?sensor=Kitchen']);
  }
  for (const path of ['/history', '/api/data', '/healthz', '/airport', '/air.txt', '/AIR/', '/assets/x.js']) {
    const answer = await get(path);
    expect([path, answer.status, (await answer.json()).detail]).toEqual([
      path,
      404,
      'airboard is at /air/ here, as BASE_PATH says. A proxy in front has to pass this path on.',
    ]);
  }
  expect((await get('/air/healthz')).status).toBe(200);
  expect((await get('/air/nothing')).status).toBe(404);
  const document = await (await get('/air/api/openapi.json')).json();
  expect(document.servers).toEqual([{ url: '/air' }]);
  const docs = await (await get('/air/api/docs')).text();
  expect(docs).toContain('http://localhost:3000/air/api/data');
  expect([...docs.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, to]) => to)).toEqual(
    expect.not.arrayContaining([expect.not.stringMatching(/^\/air\//)]),
  );
  await post(`${server.url}/air`, { sensor: 'Kitchen', co2: 500 });
  expect((await get('/air/api/sensors?limit=1')).headers.get('Link')).toMatch(/^<\/air\/api\/sensors\?/);
  const env = { ...process.env, READ_KEY, BASE_PATH: '/air', PORT: String(server.port) };
  const run = promisify(execFile);
  expect((await run(process.execPath, ['scripts/sensors.js'], { env })).stdout).toContain('"Kitchen"');
  const url = `${server.url}/air/`;
  const exported = await run(process.execPath, ['scripts/export.js', '--url', url, '--sensor', 'Kitchen'], {
    env,
  });
  expect(exported.stdout).toContain(',Kitchen,500,');
  expect(server.output()).toContain(`open http://127.0.0.1:${server.port}/air`);
});
