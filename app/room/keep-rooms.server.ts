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

  /** Computes a window's missing days, one at a time. */
  async function keepWindow(sensor: string, from: number, to: number): Promise<void> {
    let missing = 1;
    while (missing > 0 && !signal.aborted) {
      const startedAt = performance.now();
      ({ missing } = await roomDays({ store, sensor, rules, thresholds }, { from, to, most: 1 }));
      await wait((performance.now() - startedAt) * (1 / SHARE - 1));
    }
  }

  /** Goes back from yesterday to the sensor's first reading. */
  async function keepSensor({ name, first_heard }: SensorSummary): Promise<void> {
    const first = dayStart(Date.parse(first_heard) / 1000);
    for (let to = dayStart(Date.now() / 1000); to > first && !signal.aborted; to -= WINDOW_DAYS * DAY_S) {
      await keepWindow(name, Math.max(first, to - WINDOW_DAYS * DAY_S), to);
    }
  }

  async function round(): Promise<void> {
    try {
      for (const sensor of await store.lastHeard()) {
        if ((sensor.newest.co2 ?? null) !== null) await keepSensor(sensor);
      }
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
