import type { SensorSettings, SettingsChange } from '../readings/sensor-settings';

/** Everything that is stored about sensors besides their readings. */
export interface StoredSettings {
  /** The settings of the sensors that have any, by name. */
  settings: ReadonlyMap<string, SensorSettings>;
  /** The sensor of each former name. A device that goes on posting under such a name posts to this sensor. */
  aliases: ReadonlyMap<string, string>;
  /** The sensors whose stored readings are being corrected again. */
  recomputing: ReadonlySet<string>;
}

/** Selects the sensor to change. */
export interface ChangedSensor extends SettingsChange {
  sensor: string;
  /** True to give the readings to another sensor, if there is one with the new name. */
  isMerge: boolean;
}

/**
 * The outcome of a change. `taken`: another sensor has the name. `conflicts`: both sensors have different readings at this
 * many times, so nothing was changed.
 */
export type ChangeOutcome =
  | { outcome: 'changed' }
  | { outcome: 'unknown' | 'taken' }
  | { outcome: 'conflicts'; conflicts: number };

/** Keeps the settings of sensors. Every method fails with `StoreUnavailableError` when the store can't be reached. */
export interface SettingsStore {
  load(): Promise<StoredSettings>;
  /**
   * Changes a sensor's settings and its name. Its readings, notes and notifications keep belonging to it, and its former name
   * becomes an alias. A merge gives them to the other sensor, which keeps its own settings. After a change of corrections, the
   * store corrects the stored readings again in the background, newest first, and continues after a restart.
   */
  change(change: ChangedSensor): Promise<ChangeOutcome>;
}
