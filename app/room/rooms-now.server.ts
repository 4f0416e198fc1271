import { singleton } from '../config/singleton.server';
import type { SensorSummary } from '../readings/reading';
import type { VentilationAnswer } from '../readings/room/ventilation-answer';
import { MINUTE_MS } from '../readings/time/durations';
import type { ReadingStore } from '../store/reading-store';
import { answerVentilation } from './answer-room.server';
import { type BackgroundWork, startRounds } from './background-rounds.server';
import { hasRoom } from './room-days.server';
import type { RoomSettings } from './room-minutes.server';

/** An answer older than this is computed again if there are newer readings. */
const FRESH_MS = MINUTE_MS;
/** Answers and readings older than this aren't current. */
const CURRENT_MS = 5 * MINUTE_MS;
/** The interval at which new readings are looked for. */
const ROUND_MS = 5000;
/** The work pauses after this long without a call. Prometheus usually asks once a minute. */
const UNUSED_MS = 5 * MINUTE_MS;
/** The most sensors with an answer: those with the latest readings. */
const MOST_SENSORS = 50;

interface RoomNow {
  answer: VentilationAnswer;
  newest: string;
  /** The server's time in milliseconds since 1970. */
  answeredAt: number;
}

const rooms = singleton('rooms-now', () => ({ known: new Map<string, RoomNow>(), askedAt: 0 }));

/**
 * Returns the ventilation of a sensor's room, at most five minutes old. Null if the sensor has no current readings, or
 * isn't among the `MOST_SENSORS` with the latest ones. The first call only starts the work and returns null.
 */
export function roomNow(sensor: string): VentilationAnswer | null {
  const now = Date.now();
  rooms.askedAt = now;
  const known = rooms.known.get(sensor);
  return known && Math.abs(now - known.answeredAt) < CURRENT_MS ? known.answer : null;
}

/** Computes the answers of `roomNow` in the background while callers ask for them. */
export function watchRooms(
  store: Pick<ReadingStore, 'lastHeard' | 'rollUps' | 'rawFrom' | 'room'>,
  settingsOf: (sensor: string) => RoomSettings,
): BackgroundWork {
  async function answer({ name: sensor, newest }: SensorSummary): Promise<void> {
    const now = Date.now();
    const answer = await answerVentilation(
      { store, sensor, settings: settingsOf(sensor) },
      now / 1000,
      now / 1000,
    );
    rooms.known.set(sensor, { answer, newest: newest.created_at, answeredAt: now });
  }

  return startRounds(
    { firstMs: ROUND_MS, intervalMs: ROUND_MS, what: 'the judgement of rooms waits for the store' },
    async ({ signal, share }) => {
      const now = Date.now();
      if (now - rooms.askedAt > UNUSED_MS) return;
      const current = (await store.lastHeard())
        .filter((sensor) => hasRoom(sensor) && Math.abs(now - Date.parse(sensor.last_heard)) < CURRENT_MS)
        .slice(0, MOST_SENSORS);
      const names = new Set(current.map(({ name }) => name));
      for (const name of rooms.known.keys()) if (!names.has(name)) rooms.known.delete(name);
      for (const sensor of current) {
        const known = rooms.known.get(sensor.name);
        const isFresh = known && Math.abs(Date.now() - known.answeredAt) < FRESH_MS;
        if (signal.aborted) return;
        if (!isFresh && known?.newest !== sensor.newest.created_at) await share(() => answer(sensor));
      }
    },
  );
}
