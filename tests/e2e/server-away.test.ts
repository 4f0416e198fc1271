import { afterAll, beforeAll, expect, test } from 'vitest';
import { tileOf } from '../support/browser/dashboard';
import { forgetFailedRequests, openLiveTabs } from '../support/browser/live-tabs';
import { type Network, openNetwork } from '../support/browser/network';
import { withChromium } from '../support/browser/page';
import { postAll } from '../support/server/api';
import { type RunningServer, startServerWith } from '../support/server/server';

const chromium = withChromium();
let server: RunningServer;
let network: Network;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000, env: { RANDOM_POSTS: 'false' } });
  network = await openNetwork(server.port);
});

afterAll(() => Promise.all([network.close(), server.stop()]));

test.each(['History', 'Chart', 'Post data'])(
  'a link to %s that is followed while the server is away keeps the values, says so, and opens once it is back',
  async (name) => {
    const { pages, co2 } = await openLiveTabs(chromium.browser, network, '/');
    const [page] = pages;
    await server.stop('SIGKILL');
    const link = page.getByRole('link', { name, exact: true });
    await link.click();
    await page.getByText("Can't reach the server. The page opens when it is back.").waitFor();
    await tileOf(page, 'CO2').getByText(String(co2), { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    server = await server.restart();
    await page.waitForURL(network.url + (await link.getAttribute('href')));
    await page
      .getByRole('heading', { name: new RegExp(`^${name}`), level: 1 })
      .waitFor({ state: 'attached' });
    await page.getByText("Can't reach the server.").waitFor({ state: 'hidden' });
    forgetFailedRequests(page);
  },
);

test('another sensor, and Back to the first one, wait for the server too, and the viewer can stay', async () => {
  await postAll(server.url, [{ co2: 611, voc: 61, sensor: 'Attic' }]);
  const { pages, co2 } = await openLiveTabs(chromium.browser, network, '/?sensor=');
  const [page] = pages;
  const notice = page.getByText("Can't reach the server. The page opens when it is back.");
  const tile = tileOf(page, 'CO2');
  await server.stop('SIGKILL');
  await page.getByRole('link', { name: 'Chart', exact: true }).click();
  await page.getByRole('button', { name: 'Stay here' }).click();
  await notice.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Attic' }).click();
  await notice.waitFor();
  await tile.getByText(String(co2), { exact: true }).waitFor();
  server = await server.restart();
  await tile.getByText('611', { exact: true }).waitFor();
  await server.stop('SIGKILL');
  await page.goBack();
  await notice.waitFor();
  await tile.getByText('611', { exact: true }).waitFor();
  server = await server.restart();
  await tile.getByText(String(co2), { exact: true }).waitFor();
  await notice.waitFor({ state: 'hidden' });
  forgetFailedRequests(page);
});
