import { setTimeout as sleep } from 'node:timers/promises';
import { areDefault, type SensorSettings, settingsIn } from '../../readings/sensor-settings';
import type { ChangeOutcome, SettingsStore } from '../settings-store';
import { isMissingFunction, queryError, secretKeyError } from './supabase-errors.server';
import type { Project, supabaseQueries } from './supabase-queries.server';

/** Readings that one request moves to another name. Inserts wait for it. */
const MOVED_READINGS = 1000;
/** Readings that one request corrects again. Inserts wait for it. */
const CORRECTED_READINGS = 250;

/** The answer of the function `load_settings`. */
interface LoadedSettings {
  settings: Record<string, Partial<SensorSettings>>;
  aliases: Record<string, string>;
  /** Left out by an older migration. */
  recomputing?: string[];
}

/**
 * Stores settings of sensors in a Supabase project. The public key may read them. While the project lacks their migration, no
 * sensor has any.
 *
 * @param mayChange true with the secret key
 */
export function supabaseSensorSettings(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  mayChange: boolean,
): SettingsStore {
  let isMissingKnown = false;

  async function call<T>(name: string, parameters: object): Promise<T> {
    const result = await queries.call(name, parameters, queries.newDeadline());
    if (result.error) throw queryError(result, project);
    return result.data as T;
  }

  let isCorrecting = false;
  let lastFailure = '';

  /** Corrects readings again until none is left. After a failure, the next `load` continues. */
  async function correct(): Promise<void> {
    if (isCorrecting || !mayChange) return;
    isCorrecting = true;
    try {
      for (let isLeft = true; isLeft; ) {
        const begun = performance.now();
        isLeft = await call<boolean>('correct_readings', { at_most: CORRECTED_READINGS });
        await sleep(performance.now() - begun, undefined, { ref: false });
      }
    } catch (error) {
      const { message } = error as Error;
      if (message !== lastFailure) console.error(`[airboard] readings can't be corrected again: ${message}`);
      lastFailure = message;
    } finally {
      isCorrecting = false;
    }
  }

  return {
    async load() {
      const result = await queries.call('load_settings', {}, queries.newDeadline());
      if (result.error) {
        const error = queryError(result, project);
        if (!isMissingFunction(result)) throw error;
        if (!isMissingKnown) console.warn(`[airboard] sensors have no settings: ${error.message}`);
        isMissingKnown = true;
        return { settings: new Map(), aliases: new Map(), recomputing: new Set() };
      }
      const { settings, aliases, recomputing = [] } = result.data as LoadedSettings;
      if (recomputing.length > 0) void correct();
      return {
        settings: new Map(Object.entries(settings).map(([sensor, own]) => [sensor, settingsIn(own)])),
        aliases: new Map(Object.entries(aliases)),
        recomputing: new Set(recomputing),
      };
    },
    async change({ sensor, settings, name = sensor, isMerge }): Promise<ChangeOutcome> {
      if (!mayChange) throw secretKeyError("Changing a Supabase project's sensors");
      const outcome = await call<ChangeOutcome>('change_sensor', {
        of_sensor: sensor,
        new_name: name,
        new_settings: areDefault(settings) ? null : settings,
        is_merge: isMerge,
      });
      if (outcome.outcome !== 'changed' || name === sensor) return outcome;
      const move = { of_sensor: sensor, new_sensor: name, at_most: MOVED_READINGS };
      while ((await call<number>('move_readings', move)) === MOVED_READINGS);
      return outcome;
    },
  };
}
