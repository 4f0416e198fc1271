import type { Env } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import { readAll, stepReader } from '../history/read-steps.server';
import { minutesOf, type RoomMinutes } from '../readings/room/room-findings';
import type { ReadingStore } from '../store/reading-store';

/** The settings that findings depend on. */
export type RoomSettings = Pick<Env, 'thresholds' | 'CO2_OUTDOOR'>;

/** A sensor's readings, and the settings by which its room is judged. */
export interface RoomSource {
  store: Pick<ReadingStore, 'rollUps' | 'room'>;
  sensor: string;
  settings: RoomSettings;
}

/** Reads the minutes from one time on and before another one, in seconds since 1970. */
export async function readMinutes(
  { store, sensor, settings }: RoomSource,
  from: number,
  to: number,
): Promise<RoomMinutes> {
  return minutesOf(await readAll(stepReader(store, sensor, settings.thresholds), { from, to, step: 60 }));
}

/** The length of a block in seconds. Its totals are kept by the store; its minutes are read from readings. */
const BLOCK_S = 900;
/** The most blocks: 36 hours of 50 sensors, about 10 MB. */
const MOST_BLOCKS = 7200;

/** The minutes of blocks, by sensor, start and the totals of the readings. */
const blocks = singleton('room-minutes', () => new Map<string, RoomMinutes>());

/**
 * Like `readMinutes`, but keeps the minutes of blocks in memory, because every page asks for the same hours again and again.
 * Reads them from the first block whose readings have changed.
 */
export async function readRecentMinutes(source: RoomSource, from: number, to: number): Promise<RoomMinutes> {
  const { store, sensor, settings } = source;
  const over = Math.floor(to / BLOCK_S) * BLOCK_S;
  const read = stepReader(store, sensor, settings.thresholds);
  const totals = await readAll(read, { from, to: over, step: BLOCK_S });
  const asked = totals.map(({ start, co2 }) => ({
    start,
    key: [sensor, start, co2?.values, co2?.sum, co2?.lowest, co2?.highest].join(' '),
  }));
  const changed = asked.findIndex(({ key }) => !blocks.has(key));
  const same = changed === -1 ? asked : asked.slice(0, changed);
  const kept = same.flatMap(({ key }) => blocks.get(key) ?? []);
  const { curve, errors } = await readMinutes(source, asked[same.length]?.start ?? over, to);
  for (const { start, key } of asked.slice(same.length)) {
    const isInside = (minute: number) => minute >= start / 60 && minute < (start + BLOCK_S) / 60;
    blocks.set(key, {
      curve: curve.filter(({ minute }) => isInside(minute)),
      errors: errors.filter(isInside),
    });
  }
  for (const key of blocks.keys()) {
    if (blocks.size <= MOST_BLOCKS) break;
    blocks.delete(key);
  }
  return {
    curve: [...kept.flatMap((block) => block.curve), ...curve],
    errors: [...kept.flatMap((block) => block.errors), ...errors],
  };
}
