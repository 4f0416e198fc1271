import type { SensorSummary } from '../readings/reading';
import { DAY_S, utcDay } from '../readings/time/durations';
import type { ReadingStore } from '../store/reading-store';
import { type BackgroundWork, type Round, startRounds } from './background-rounds.server';
import { hasRoom, roomDays } from './room-days.server';
import type { RoomSettings } from './room-minutes.server';

/** The delay of the first round, and the interval of the others. */
const FIRST_MS = 2000;
const ROUND_MS = 10 * 60_000;
/** The days whose totals one call reads, and the most that it computes. */
const WINDOW_DAYS = 60;
const DAYS_AT_ONCE = 5;
/** Most rounds check only the last days. One a day checks all of them, because late readings can change any day. */
const RECENT_DAYS = 3;
const ALL_MS = 24 * 3_600_000;

/**
 * Computes the findings of all days in the background, so that a request for a year of airings only reads stored ones.
 * `hasAll` returns true once those of all days were computed. Returns null for a store that loses findings at a restart, where the
 * work would be wasted.
 */
export function keepRooms(
  store: Pick<ReadingStore, 'lastHeard' | 'rollUps' | 'rawFrom' | 'room'>,
  settingsOf: (sensor: string) => RoomSettings,
): (BackgroundWork & { hasAll(): boolean }) | null {
  if (!store.room.isLasting) return null;
  let wholeAt = 0;

  /** Works back from yesterday to the sensor's first day, or only through the last `RECENT_DAYS`. */
  async function keepSensor(
    { name: sensor, first_heard }: SensorSummary,
    isWhole: boolean,
    { signal, share }: Round,
  ): Promise<void> {
    const today = utcDay(Date.now() / 1000);
    const recent = isWhole ? 0 : today - RECENT_DAYS * DAY_S;
    const first = Math.max(recent, utcDay(Date.parse(first_heard) / 1000));
    for (let to = today; to > first; to -= WINDOW_DAYS * DAY_S) {
      const window = { from: Math.max(first, to - WINDOW_DAYS * DAY_S), to, most: DAYS_AT_ONCE };
      for (let missing = 1; missing > 0; ) {
        if (signal.aborted) return;
        const found = await share(() => roomDays({ store, sensor, settings: settingsOf(sensor) }, window));
        if (found.keepError) throw found.keepError;
        missing = found.missing;
      }
    }
  }

  const work = startRounds(
    { firstMs: FIRST_MS, intervalMs: ROUND_MS, what: 'findings about rooms wait for the store' },
    async (round) => {
      const isWhole = Date.now() - wholeAt > ALL_MS;
      for (const sensor of await store.lastHeard()) {
        if (hasRoom(sensor)) await keepSensor(sensor, isWhole, round);
      }
      if (isWhole && !round.signal.aborted) wholeAt = Date.now();
    },
  );
  return { ...work, hasAll: () => wholeAt > 0 };
}
