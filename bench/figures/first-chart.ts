import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { chartSeries } from '../../app/readings/chart/chart-series';
import { DEFAULT_RANGE, HISTORY_LIMIT } from '../../app/readings/chart/range';
import type { Reading } from '../../app/readings/reading';
import { buildBaseline } from '../build-baseline';
import { openFreshPage, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { seedStore, startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const ROUNDS = 15;
/** A folder in the static files, so that the product serves it. */
const FOLDER = 'bench-chart';

/** A phone from a few years ago: a processor four times slower, and a connection of 10 Mbit/s with 40 ms latency. */
const CPU_SLOWDOWN = 4;
const BYTES_PER_SECOND = 10_000_000 / 8;
const LATENCY_MS = 40;

declare global {
  interface Window {
    /** Set by `notePaintedChart`, in milliseconds since the navigation. */
    chartPaintedAt?: number;
  }
}

/** Measures the time until a first visitor with a slow phone sees the chart, against a page with only that chart. */
export const firstChart: Measurement = {
  name: 'first-chart',
  async measure() {
    const folder = `build/client/${FOLDER}`;
    mkdirSync(folder);
    // Create the files first, because a server only serves static files that exist at its start.
    for (const file of ['chart.js', 'index.html']) writeFileSync(`${folder}/${file}`, '');
    const server = await startProduct(seedStore(HISTORY_LIMIT));
    try {
      const [script = ''] = await buildBaseline('chart-page');
      const readings: Reading[] = await (
        await fetch(`${server.url}/api/data?limit=${DEFAULT_RANGE.maxPoints}`)
      ).json();
      writeFileSync(`${folder}/chart.js`, script);
      writeFileSync(
        `${folder}/index.html`,
        chartPage(JSON.stringify(chartSeries(readings, DEFAULT_RANGE, HISTORY_LIMIT))),
      );
      return await withChromium(async (browser) => {
        const candidates = [server.url, `${server.url}/${FOLDER}/index.html`].map(
          (url) => () => firstPaintedChart(browser, url),
        ) as [() => Promise<number>, () => Promise<number>];
        await interleave(...candidates, 1);
        return [
          {
            name: 'first chart painted, cold, slow phone',
            unit: 'ms',
            ...medians(await interleave(...candidates, ROUNDS), (ms) => ms),
            target: { atMost: 1.5 },
          },
        ];
      });
    } finally {
      rmSync(folder, { recursive: true });
      await server.stop();
    }
  },
};

function chartPage(points: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>chart</title>
<script type="module" src="chart.js"></script>
<script type="application/json" id="points">${points}</script>
<div style="height: 480px"><canvas></canvas></div>
`;
}

/** Opens a page with an empty cache on a slow phone. Returns the milliseconds until its chart was painted. */
async function firstPaintedChart(browser: Browser, url: string): Promise<number> {
  const { page, devtools } = await openFreshPage(browser);
  await notePaintedChart(page);
  await slowDownNetwork(devtools);
  await slowDownProcessor(devtools);
  await page.goto(url, { waitUntil: 'commit' });
  const ms = await chartPaintedAt(page);
  await page.context().close();
  return ms;
}

async function slowDownProcessor(devtools: CDPSession): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

async function slowDownNetwork(devtools: CDPSession): Promise<void> {
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
}

/** Makes a page record the time at which the first line on a canvas was painted. */
async function notePaintedChart(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { stroke } = prototype;
    prototype.stroke = function (this: CanvasRenderingContext2D, ...path: unknown[]) {
      Reflect.apply(stroke, this, path);
      prototype.stroke = stroke;
      // The second callback runs after the frame with the line was presented.
      requestAnimationFrame(() => requestAnimationFrame(() => (window.chartPaintedAt = performance.now())));
    };
  });
}

/** Waits for the painted chart. Returns its time in milliseconds since the navigation. */
async function chartPaintedAt(page: Page): Promise<number> {
  const noted = await page.waitForFunction(() => window.chartPaintedAt, undefined, { polling: 50 });
  return (await noted.jsonValue()) as number;
}
