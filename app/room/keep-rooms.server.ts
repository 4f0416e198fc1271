import { setTimeout as sleep } from 'node:timers/promises';
import type { Thresholds } from '../readings/metric';
import type { SensorSummary } from '../readings/reading';
import type { RoomRules } from '../readings/room/room-findings';
import { DAY_S } from '../readings/time/durations';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { dayStart, roomDays } from './room-days.server';

/** The first round comes soon after the start, the others at this interval. */
const FIRST_MS = 2000;
const ROUND_MS = 10 * 60_000;
/** Rounds take at most this share of the time: requests come first. */
const SHARE = 0.1;
/** Days per call: each call reads the totals of all its days. */
const WINDOW_DAYS = 60;
const DAYS_AT_ONCE = 5;
/** Most rounds look at the last days alone; one a day looks at all, because late readings change any. */
const RECENT_DAYS = 3;
const ALL_MS = 24 * 3_600_000;

/**
 * Computes the findings of all days in the background, so that the airings of a year come from what is kept. Repeats it,
 * because late readings change findings. Does nothing with a store that can't keep them.
 */
export function keepRooms(
  store: Pick<ReadingStore, 'lastHeard' | 'rollUps' | 'room'>,
  rules: RoomRules,
  thresholds: Thresholds,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  let isFailing = false;
  let wholeAt = 0;

  /** Computes a window's missing days, a few at a time. */
  async function keepWindow(sensor: string, from: number, to: number): Promise<void> {
    let before = Number.POSITIVE_INFINITY;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const { missing } = await roomDays(
        { store, sensor, rules, thresholds },
        { from, to, most: DAYS_AT_ONCE },
      );
      await wait((performance.now() - startedAt) * (1 / SHARE - 1));
      // A project without the migration keeps nothing.
      if (missing === 0 || missing >= before) return;
      before = missing;
    }
  }

  /** Goes back from yesterday to the sensor's first reading. */
  async function keepSensor({ name, first_heard }: SensorSummary, isWhole: boolean): Promise<void> {
    const today = dayStart(Date.now() / 1000);
    const recent = isWhole ? 0 : today - RECENT_DAYS * DAY_S;
    const first = Math.max(recent, dayStart(Date.parse(first_heard) / 1000));
    for (let to = today; to > first && !signal.aborted; to -= WINDOW_DAYS * DAY_S) {
      await keepWindow(name, Math.max(first, to - WINDOW_DAYS * DAY_S), to);
    }
  }

  async function round(): Promise<void> {
    const isWhole = Date.now() - wholeAt > ALL_MS;
    try {
      for (const sensor of await store.lastHeard()) {
        if ((sensor.newest.co2 ?? null) !== null) await keepSensor(sensor, isWhole);
      }
      if (isWhole && !signal.aborted) wholeAt = Date.now();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !signal.aborted) {
        const reason = error instanceof StoreUnavailableError ? error.message : error;
        console.error('[airboard] findings about rooms wait for the store:', reason);
      }
      isFailing = true;
    }
  }

  async function run(): Promise<void> {
    await wait(FIRST_MS);
    while (!signal.aborted) {
      await round();
      await wait(ROUND_MS);
    }
  }

  const ended = store.room ? run() : Promise.resolve();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
