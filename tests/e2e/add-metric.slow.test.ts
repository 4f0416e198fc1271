import { afterAll, beforeAll, expect, test } from 'vitest';
import { tileOf } from '../support/browser/dashboard';
import { openPage, withChromium } from '../support/browser/page';
import { readAll } from '../support/server/api';
import { followSo2, projectWithSo2 } from '../support/server/project-with-so2';
import { type RunningServer, startServer } from '../support/server/server';

const chromium = withChromium();
let script: string;
let server: RunningServer;

beforeAll(async () => {
  ({ script } = await projectWithSo2());
  server = await startServer({ script });
}, 600_000);

afterAll(() => server?.stop());

test('one row in the table adds a metric to SQLite, from post to page', async () => {
  await followSo2(server.url);
  const page = await openPage(chromium.browser, server.url);
  const tile = tileOf(page, 'SO2');
  await tile.getByText('321').waitFor();
  expect(await tile.innerText()).toMatch(/PPB/);
  expect(await page.title()).toMatch(/poor/);
  expect(page.complaints).toEqual([]);
});

test('the thresholds of the new metric are settings, and without the row the file keeps its readings', async () => {
  const { databasePath } = server;
  await server.stop();
  const env = { SO2_GOOD: '400', SO2_MODERATE: '500' };
  const lenient = await startServer({ script, databasePath, env });
  expect(await (await fetch(`${lenient.url}/metrics`)).text()).toContain('airboard_level{sensor=""} 0');
  await lenient.stop();
  const without = await startServer({ databasePath });
  expect((await readAll(without.url)).map(({ co2 }) => co2)).toEqual([640, null, 650]);
  await without.stop();
});
