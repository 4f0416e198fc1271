import type { Env } from '../config/env.server';
import { readAll, stepReader } from '../history/read-steps.server';
import { type AirPoint, airOf } from '../readings/room/dry-airing';
import { minutesOf, type RoomMinutes } from '../readings/room/room-findings';
import type { ReadingStore } from '../store/reading-store';

/** The settings that findings depend on. */
export type RoomSettings = Pick<
  Env,
  'thresholds' | 'CO2_OUTDOOR' | 'OUTDOOR_SENSOR' | 'OUTDOOR_TEMPERATURE' | 'OUTDOOR_HUMIDITY'
>;

/** A sensor's readings, and the settings by which its room is judged. */
export interface RoomSource {
  store: Pick<ReadingStore, 'rollUps' | 'rawFrom' | 'room'>;
  sensor: string;
  settings: RoomSettings;
}

/** A sensor's CO2, temperature and humidity by minute. */
export interface SensorMinutes extends RoomMinutes {
  air: AirPoint[];
}

/** Reads the minutes from one time on and before another one, in seconds since 1970. */
export async function readMinutes(
  { store, sensor, settings }: RoomSource,
  from: number,
  to: number,
): Promise<SensorMinutes> {
  const rollUps = await readAll(stepReader(store, sensor, settings.thresholds), { from, to, step: 60 });
  return { ...minutesOf(rollUps), air: airOf(rollUps) };
}
