import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../tests/support/browser/chromium';

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

/** Runs `work` with a new browser. Closes the browser even after an error. */
export async function withChromium<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchChromium();
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens a page with an empty cache, and a DevTools session for it. */
export async function openFreshPage(browser: Browser): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  return { page, devtools: await context.newCDPSession(page) };
}

export async function slowDownProcessor(devtools: CDPSession): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

export async function slowDownNetwork(devtools: CDPSession): Promise<void> {
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
}

/** Makes a page record the time at which the first line on a canvas was painted. */
export async function notePaintedChart(page: Page): Promise<void> {
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
export async function chartPaintedAt(page: Page): Promise<number> {
  const noted = await page.waitForFunction(() => window.chartPaintedAt, undefined, { polling: 50 });
  return (await noted.jsonValue()) as number;
}

/** Opens a page with an empty cache on a slow phone. Returns the milliseconds until its chart was painted. */
export async function firstPaintedChart(browser: Browser, url: string): Promise<number> {
  const { page, devtools } = await openFreshPage(browser);
  await notePaintedChart(page);
  await slowDownNetwork(devtools);
  await slowDownProcessor(devtools);
  await page.goto(url, { waitUntil: 'commit' });
  const ms = await chartPaintedAt(page);
  await page.context().close();
  return ms;
}
