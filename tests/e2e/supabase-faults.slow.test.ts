import { beforeEach, describe, expect, test } from 'vitest';
import { withHostedPage } from '../support/browser/hosted-page';
import { until } from '../support/until';

describe('faults of Realtime', () => {
  const hosted = withHostedPage();

  describe('a live page', () => {
    test('reconnects after a dropped socket and catches up', async () => {
      await hosted.openLive();
      hosted.double.realtime.refuseSockets = 401;
      hosted.double.realtime.refusedSocketMs = 200;
      hosted.double.realtime.drop();
      await hosted.notice().waitFor();
      await hosted.insert(4);
      hosted.double.realtime.refuseSockets = null;
      await hosted.untilRecovered();
      await hosted.untilEqualToTable();
      await hosted.insert();
      await hosted.untilEqualToTable();
    });

    test('opens another channel after phx_close', async () => {
      await hosted.openLive();
      // Without REST, the page can't discover missed events.
      hosted.double.rest.fault = () => ({ kind: 'answer', status: 503, body: '' });
      hosted.double.realtime.closeChannels();
      await hosted.insert(3);
      await until(() => hosted.double.realtime.channels === 1);
      hosted.double.rest.fault = () => null;
      await hosted.untilEqualToTable();
      await hosted.insert();
      await hosted.untilEqualToTable();
      await hosted.untilRecovered();
      expect(hosted.double.realtime.sockets).toBe(1);
    });

    test('is live again half a minute after the fifth phx_close', { timeout: 240_000 }, async () => {
      await hosted.openLive();
      const pageTime = () => hosted.page.evaluate(() => Date.now());
      let waitedMs = 0;
      for (let closed = 1; closed <= 5; closed++) {
        hosted.double.realtime.closeChannels();
        const from = await pageTime();
        await until(async () => {
          if (hosted.double.realtime.channels === 1) return true;
          await hosted.advance(1000);
          return false;
        }, 90_000);
        waitedMs = (await pageTime()) - from;
      }
      expect(waitedMs).toBeGreaterThan(25_000);
      expect(waitedMs).toBeLessThan(45_000);
      await hosted.untilRecovered();
      await hosted.insert();
      await hosted.untilEqualToTable();
    });

    test('joins the channel again after phx_error', async () => {
      await hosted.openLive();
      hosted.double.realtime.breakChannels();
      await hosted.insert(3);
      await until(() => hosted.double.realtime.channels === 1);
      await hosted.untilEqualToTable();
      await hosted.insert();
      await hosted.untilEqualToTable();
    });

    test('replaces a connection that does not answer heartbeats', async () => {
      await hosted.openLive();
      hosted.double.realtime.mute = true;
      await hosted.insert(3);
      // Heartbeats are sent every 15 s. The second one finds the first unanswered.
      await hosted.page.clock.fastForward(15_000);
      await hosted.page.clock.fastForward(15_000);
      await hosted.notice().waitFor();
      hosted.double.realtime.mute = false;
      await hosted.untilRecovered(1000);
      await hosted.untilEqualToTable();
    });

    test('shows readings once and in order if events repeat or arrive out of order', async () => {
      await hosted.openLive();
      hosted.double.realtime.copies = 2;
      hosted.double.realtime.holdEvents = true;
      await hosted.insert(5);
      hosted.double.realtime.release();
      await hosted.untilEqualToTable();
    });

    test('fetches the row of an event that has errors instead of values', async () => {
      await hosted.openLive();
      hosted.double.realtime.emptyEvents = true;
      hosted.double.rest.delayMs = 500;
      const requests = hosted.double.rest.requests.length;
      await hosted.insert();
      await until(() => hosted.double.rest.requests.length > requests);
      // The delayed answer contains only the first row.
      await hosted.insert(2);
      await hosted.untilEqualToTable();
      expect(await hosted.notice().count()).toBe(0);
      hosted.double.realtime.emptyEvents = false;
      await hosted.insert();
      await hosted.untilEqualToTable();
    });

    test('notices silently lost events with the next one', async () => {
      await hosted.openLive();
      await hosted.insert();
      await hosted.untilEqualToTable();
      hosted.double.realtime.hasSlot = false;
      await hosted.insert(3);
      hosted.double.realtime.hasSlot = true;
      await hosted.insert(2);
      await hosted.untilEqualToTable();
    });
  });

  describe('a page that opens during a fault', () => {
    beforeEach(() => hosted.leave());

    test('shows why a join is rejected, polls, and is live once it is accepted', async () => {
      hosted.double.realtime.refusedJoinMs = 200;
      hosted.double.realtime.refuseJoins = 'ConnectionRateLimitReached: Too many connected users';
      await hosted.insert(3);
      await hosted.open();
      await hosted.notice().waitFor();
      expect(await hosted.notice().innerText()).toMatch(
        /refuses the live channel: ConnectionRateLimitReached: Too many connected users\. The project's limit is reached/,
      );
      await hosted.insert(2);
      await hosted.untilEqualToTable(1000);
      hosted.double.realtime.refuseJoins = null;
      await hosted.untilRecovered(1000);
      await hosted.insert(2);
      await hosted.untilEqualToTable();
    });

    test('explains that the table is not published, polls, and is live once events arrive', async () => {
      hosted.double.realtime.unpublish();
      await hosted.insert(3);
      await hosted.open();
      await hosted.notice().waitFor();
      expect(await hosted.notice().innerText()).toMatch(
        /no live readings.*supabase_realtime.*migrations.*Unable to subscribe/,
      );
      await hosted.insert(2);
      await hosted.untilEqualToTable();
      const joins = hosted.double.realtime.joins;
      await until(async () => {
        await hosted.advance(1000);
        return hosted.double.realtime.joins > joins;
      });
      expect(await hosted.notice().count()).toBe(1);
      // Realtime subscribes up to a minute before it sends events.
      hosted.double.realtime.publish();
      await until(async () => {
        await hosted.advance(1000);
        return (await hosted.notice().innerText()).includes('about to send live readings');
      });
      await hosted.insert(2);
      await hosted.untilEqualToTable();
      expect(await hosted.notice().count()).toBe(1);
      hosted.double.realtime.lookForTables();
      await hosted.insert();
      await hosted.untilRecovered();
      await hosted.untilEqualToTable();
    });

    test('is live a minute after Realtime has subscribed in a second attempt on the same channel', async () => {
      const { realtime } = hosted.double;
      realtime.retryMs = 200;
      realtime.subscriptionError = 'Unable to subscribe to changes: the database is busy';
      await hosted.insert(3);
      await hosted.open();
      await until(async () => (await hosted.notice().innerText()).includes('the database is busy'));
      const joins = realtime.joins;
      realtime.subscriptionError = null;
      await until(async () => (await hosted.notice().innerText()).includes('about to send live readings'));
      expect(realtime.joins).toBe(joins);
      await hosted.untilRecovered(5000);
      await hosted.insert();
      await hosted.untilEqualToTable();
    });

    test('fetches rows inserted after SUBSCRIBED and before replication starts', async () => {
      hosted.double.realtime.detached = true;
      await hosted.openLive();
      const requests = hosted.double.rest.requests.length;
      await hosted.insert(4);
      hosted.double.realtime.attach();
      await hosted.untilEqualToTable();
      expect(hosted.double.rest.requests.length).toBeGreaterThan(requests);
      await hosted.insert();
      await hosted.untilEqualToTable();
    });

    test('says that Realtime does not answer, polls, and is live once it does', async () => {
      hosted.double.realtime.mute = true;
      await hosted.insert(3);
      await hosted.open();
      await until(() => hosted.double.realtime.sockets === 1);
      await hosted.insert(2);
      await hosted.untilEqualToTable();
      await hosted.page.clock.fastForward(10_000);
      await hosted.notice().waitFor();
      expect(await hosted.notice().innerText()).toContain('Supabase Realtime does not answer');
      hosted.double.realtime.mute = false;
      await hosted.untilRecovered(1000);
      await hosted.insert();
      await hosted.untilEqualToTable();
    });

    test('has its history if Realtime is down at load, and is live once it is up', async () => {
      hosted.double.realtime.refuseSockets = 401;
      hosted.double.realtime.refusedSocketMs = 200;
      await hosted.insert(3);
      await hosted.open();
      await hosted.notice().waitFor();
      expect(await hosted.notice().innerText()).toMatch(/Realtime can't be reached.*paused/);
      await hosted.insert(2);
      await hosted.untilEqualToTable(1000);
      hosted.double.realtime.refuseSockets = null;
      await hosted.untilRecovered(1000);
      await hosted.insert();
      await hosted.untilEqualToTable();
    });
  });
});

describe('outages', () => {
  const hosted = withHostedPage();

  test('keeps its readings while the project is down, and catches up once it is back', async () => {
    await hosted.openLive();
    await hosted.double.goDown();
    await hosted.notice().waitFor();
    expect(await hosted.shown()).toHaveLength(3);
    await hosted.double.comeUp();
    await hosted.insert(4);
    await hosted.untilRecovered();
    await hosted.untilEqualToTable();
  });

  /** Dispatches these visibility changes in one task. */
  async function setVisibility(...states: string[]): Promise<void> {
    await hosted.page.evaluate((given) => {
      for (const state of given) {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
        document.dispatchEvent(new Event('visibilitychange'));
      }
    }, states);
  }

  test('a page hidden and shown in quick succession has one live connection', async () => {
    await hosted.openLive();
    await setVisibility('hidden', 'visible', 'hidden', 'visible');
    await until(() => hosted.double.realtime.sockets > 0);
    // Without REST, only events deliver inserts.
    hosted.double.rest.fault = (method) =>
      method === 'GET' ? { kind: 'answer', status: 503, body: '' } : null;
    const first = hosted.nextValue;
    await until(async () => {
      await hosted.insert();
      return Number((await hosted.shown())[0]) >= first;
    });
    expect(hosted.double.realtime.sockets).toBe(1);
  });

  test('a hidden page closes its connection and catches up when it is shown', async () => {
    await hosted.openLive();
    await setVisibility('hidden');
    await until(() => hosted.double.realtime.sockets === 0);
    await hosted.insert(4);
    await setVisibility('visible');
    await hosted.untilEqualToTable();
    await until(() => hosted.double.realtime.channels === 1);
    await hosted.insert();
    await hosted.untilEqualToTable();
  });

  test('catches up after the viewer was offline', async () => {
    await hosted.openLive();
    await hosted.page.context().setOffline(true);
    await hosted.notice().waitFor();
    await hosted.insert(5);
    await hosted.page.context().setOffline(false);
    await hosted.untilRecovered();
    await hosted.untilEqualToTable();
    await hosted.insert();
    await hosted.untilEqualToTable();
  });

  test('replaces a feed that looks connected but is dead', async () => {
    await hosted.openLive();
    const { realtime } = hosted.double;
    const joins = realtime.joins;
    realtime.killWorker();
    await until(async () => {
      // The page may find the first ones with an earlier request.
      await hosted.insert();
      await hosted.advance(5000);
      return realtime.joins > joins && realtime.channels === 1;
    }, 40_000);
    await hosted.untilEqualToTable();
    // Without REST, only events deliver inserts.
    hosted.double.rest.fault = () => ({ kind: 'answer', status: 503, body: '' });
    const first = hosted.nextValue;
    await until(async () => {
      await hosted.insert();
      return Number((await hosted.shown())[0]) >= first;
    });
  });

  test('says that the public key may not see the rows, polls with the key of the server, and is live once it may', async () => {
    const { realtime } = hosted.double;
    await hosted.leave();
    realtime.anonMaySelect = false;
    await hosted.double.run('drop policy "Everyone reads readings" on data');
    await hosted.openLive();
    await until(async () => {
      await hosted.insert();
      await hosted.advance(5000);
      return (await hosted.notice().count()) > 0;
    }, 40_000);
    expect(await hosted.notice().innerText()).toMatch(/delivers no inserts.*supabase\/migrations/);
    const polled = String(hosted.nextValue);
    await hosted.insert();
    await until(async () => {
      await hosted.advance(5000);
      return (await hosted.shown()).includes(polled);
    });
    realtime.anonMaySelect = true;
    await until(async () => {
      await hosted.insert();
      return (await hosted.notice().count()) === 0;
    });
  });

  test('searches for a skipped id until its transaction commits, even while further inserts arrive', async () => {
    await hosted.openLive();
    const { rest, realtime } = hosted.double;
    const id = await hosted.double.takeId();
    await hosted.insert();
    await hosted.untilEqualToTable();
    const requests = rest.requests.length;
    await until(() => rest.requests.length > requests);
    realtime.hasSlot = false;
    await hosted.double.insert({ co2: 777, voc: 1, id });
    realtime.hasSlot = true;
    await until(async () => {
      await hosted.insert();
      await hosted.advance(1000);
      return (await hosted.shown()).includes('777');
    });
  });

  test('shows only the new rows after the table was emptied and its ids restarted', async () => {
    await hosted.openLive();
    await hosted.insert(5);
    await hosted.untilEqualToTable();
    await hosted.double.reset();
    await hosted.insert(2);
    await hosted.untilEqualToTable();
    await hosted.insert();
    await hosted.untilEqualToTable();
  });

  test('says that the project is down at load, and catches up once it is back', async () => {
    await hosted.leave();
    await hosted.insert(3);
    await hosted.double.goDown();
    await hosted.open();
    await hosted.notice().waitFor();
    await until(async () => /Supabase can't be reached at 127/.test(await hosted.notice().innerText()));
    await hosted.double.comeUp();
    await hosted.insert(2);
    await hosted.untilRecovered();
    await hosted.untilEqualToTable();
  });
});
