import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { sharedChromium } from './chromium';
import { closePages, openPage, openTab, type WatchedPage } from './page';
import { type RunningServer, startServer } from './server';
import { type SupabaseDouble, startSupabaseDouble } from './supabase-double';
import { until } from './until';

/** /postdata of a hosted server, whose table lists the ten newest readings. */
export class HostedPage {
  double!: SupabaseDouble;
  server!: RunningServer;
  browser!: Browser;
  page!: WatchedPage;
  /** Values are distinct, so that a test sees missing and repeated rows. */
  nextValue = 1000;

  /** Adds rows as another client of the project. */
  insert(count = 1): void {
    for (let i = 0; i < count; i++) this.double.insert({ co2: this.nextValue++, voc: 1 });
  }

  async open(): Promise<void> {
    this.page = await openPage(this.browser, `${this.server.url}/postdata`);
  }

  /** Opens the page with a clock that tests can move forward. */
  async openWithClock(): Promise<void> {
    this.page = await openTab(await this.browser.newContext());
    await this.page.clock.install();
    await this.page.goto(`${this.server.url}/postdata`);
  }

  /** Inserts three rows, opens the page and waits until it is live. */
  async openLive(options: { withClock?: boolean } = {}): Promise<void> {
    this.insert(3);
    await (options.withClock ? this.openWithClock() : this.open());
    await until(() => this.double.realtime.channels === 1);
    await this.untilEqualToTable();
  }

  /** Returns the CO2 column, newest reading first. */
  shown(): Promise<string[]> {
    return this.page.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
  }

  /** Waits until the page lists the newest rows of the project's table. Moves its clock forward by `stepMs` on each poll. */
  async untilEqualToTable(stepMs = 0): Promise<void> {
    const newest = this.double.rest.rows
      .slice(-10)
      .map(({ co2 }) => String(co2))
      .reverse();
    await until(async () => {
      if (stepMs > 0) await this.advance(stepMs);
      return String(await this.shown()) === String(newest);
    }, 40_000).catch(async () => {
      expect(await this.shown()).toEqual(newest);
    });
  }

  notice(): Locator {
    return this.page.getByRole('alert').filter({ hasText: 'Reconnecting' });
  }

  /**
   * Moves the page's clock forward, and waits for an answer of the server and of the project behind it: on a busy machine
   * the page's own requests would time out by its clock, however often it tries.
   */
  async advance(ms: number): Promise<void> {
    await this.page.clock.fastForward(ms);
    await this.page.evaluate(() => fetch('/healthz').then((answer) => answer.text())).catch(() => {});
  }

  /** Waits until the page is live again. Moves its clock forward by `stepMs` on each poll. */
  async untilRecovered(stepMs = 0): Promise<void> {
    await until(async () => {
      if (stepMs > 0) await this.advance(stepMs);
      return (await this.notice().count()) === 0;
    }, 40_000);
  }
}

/** Starts a Supabase double and a hosted server for the tests of a file; each test opens the page. */
export function withHostedPage(): HostedPage {
  const hosted = new HostedPage();
  beforeAll(async () => {
    hosted.double = await startSupabaseDouble();
    [hosted.server, hosted.browser] = await Promise.all([
      // The automatic random posts of a test that takes long would appear in the table.
      startServer({
        env: { ...hosted.double.env, SUPABASE_SECRET_KEY: hosted.double.secretKey, RANDOM_POSTS: 'false' },
      }),
      sharedChromium(),
    ]);
  });
  beforeEach(() => hosted.double.reset());
  afterEach(async ({ task }) => {
    await closePages(hosted.browser, { isKept: task.result?.state !== 'fail' });
    await until(() => hosted.double.realtime.sockets === 0);
  });
  afterAll(async () => {
    await hosted.server.stop();
    await hosted.double.stop();
  });
  return hosted;
}
