import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type RunningServer, startServer } from '../server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../supabase/supabase-double';
import { until } from '../until';
import { sharedChromium } from './chromium';
import { openTab, type WatchedPage } from './page';

/**
 * /postdata of a hosted server, with a table of the ten newest readings, in a tab with a clock that tests can move
 * forward.
 */
export class HostedPage {
  double!: SupabaseDouble;
  server!: RunningServer;
  browser!: Browser;
  page!: WatchedPage;
  /** The values are distinct, so a test notices missing and repeated rows. */
  nextValue = 1000;
  #state: 'live' | 'left' | 'unknown' = 'left';

  /** Adds rows as another client of the project. */
  async insert(count = 1): Promise<void> {
    await this.double.insert(...Array.from({ length: count }, () => ({ co2: this.nextValue++, voc: 1 })));
  }

  /** Opens the page after `leave`. */
  async open(): Promise<void> {
    this.#state = 'unknown';
    await this.page.goto(`${this.server.url}/postdata`);
  }

  /** Inserts three rows and waits until the page is live. Reuses the page of the previous test if it still is. */
  async openLive(): Promise<void> {
    if (this.#state === 'unknown') await this.leave();
    await this.insert(3);
    if (this.#state === 'left') await this.open();
    await until(() => this.double.realtime.channels === 1);
    await this.untilEqualToTable();
  }

  /** Leaves the page and empties the table, for a test with a fault while the page opens. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
    await until(() => this.double.realtime.sockets === 0);
    await this.double.reset();
    this.#state = 'left';
  }

  async openTab(): Promise<void> {
    this.page = await openTab(await this.browser.newContext());
    await this.page.clock.install();
  }

  /**
   * Ends the faults of a test. The next test keeps the page, unless this one failed and may have left it in any state.
   */
  async endTest({ isPassed }: { isPassed: boolean }): Promise<void> {
    await this.double.endFaults();
    this.#state = isPassed && this.double.realtime.channels === 1 ? 'live' : 'unknown';
    if (isPassed) return;
    await this.page.context().close();
    await this.openTab();
  }

  /** Returns the CO2 column, newest reading first. */
  shown(): Promise<string[]> {
    return this.page.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
  }

  /**
   * Waits until the page lists the newest rows of the project's table. Moves its clock forward by `stepMs` on each
   * poll.
   */
  async untilEqualToTable(stepMs = 0): Promise<void> {
    const rows = await this.double.rows();
    const newest = rows
      .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
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
   * Moves the page's clock forward, and waits for an answer from the server and its project. On a busy machine, the
   * page's requests would otherwise time out by its clock each time.
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

/** Starts a Supabase double, a hosted server and a tab for the tests of a file. Each test opens the page. */
export function withHostedPage(): HostedPage {
  const hosted = new HostedPage();
  beforeAll(async () => {
    hosted.double = await startSupabaseDouble();
    [hosted.server, hosted.browser] = await Promise.all([
      // The automatic random posts during a long test would appear in the table.
      startServer({
        env: { ...hosted.double.env, SUPABASE_SECRET_KEY: hosted.double.secretKey, RANDOM_POSTS: 'false' },
      }),
      sharedChromium(),
    ]);
    await hosted.openTab();
  });
  afterEach(({ task }) => hosted.endTest({ isPassed: task.result?.state !== 'fail' }));
  afterAll(async () => {
    await hosted.page.context().close();
    await hosted.server.stop();
    await hosted.double.stop();
  });
  return hosted;
}
