import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'libsql';
import { type Corrector, correctorOf, firstTouched } from '../../readings/correction';
import type { Thresholds } from '../../readings/metric';
import { areDefault, type SensorSettings, settingsIn, thresholdsFor } from '../../readings/sensor-settings';
import { storedMicros } from '../../readings/time/reading-time';
import type { ChangedSensor, ChangeOutcome, SettingsStore } from '../settings-store';
import type { sqliteReads } from './reads/sqlite-reads.server';
import {
  addAlias,
  moveReadings,
  moveSlots,
  removeSensor,
  renameSensor,
  sharedSlots,
  shareRawFrom,
} from './schema/sqlite-settings-schema.server.js';
import type { SqliteCorrections } from './sqlite-corrections.server';

/** Readings that a merge moves per transaction, which blocks the event loop. */
const TURN_READINGS = 1000;

type SettingsRow = [name: string, settings: string];

/**
 * Returns functions that return a sensor's thresholds and corrections by its key, from memory, and one to forget them.
 *
 * @param server the thresholds of sensors without their own
 */
export function sqliteOwnSettings(database: Database.Database, server: Thresholds) {
  const select = database.prepare('select sensor, settings from sensor_settings').raw();
  let own: Map<number, { thresholds: Thresholds; corrector: Corrector | undefined }> | undefined;
  function of(key: number) {
    own ??= new Map(
      (select.all() as [number, string][]).map(([sensor, text]) => {
        const { thresholds, corrections } = settingsFrom(text);
        const corrector = corrections.length > 0 ? correctorOf(corrections) : undefined;
        return [sensor, { thresholds: thresholdsFor(server, thresholds), corrector }];
      }),
    );
    return own.get(key);
  }
  return {
    thresholdsOf: (key: number): Thresholds => of(key)?.thresholds ?? server,
    correctorOf: (key: number): Corrector | undefined => of(key)?.corrector,
    forget(): void {
      own = undefined;
    },
  };
}

const settingsFrom = (text: string): SensorSettings => settingsIn(JSON.parse(text));

/**
 * Stores settings of sensors in the readings' file.
 *
 * @param write runs writes in a transaction that is durable when it returns
 * @param onChange called within a transaction that changes names or settings, and after it
 */
export function sqliteSettings(
  database: Database.Database,
  {
    run,
    readRows,
    write,
    corrections,
    onChange,
  }: Pick<ReturnType<typeof sqliteReads>, 'run' | 'readRows'> & {
    write: (writes: () => void) => void;
    corrections: Pick<SqliteCorrections, 'mark' | 'correctNewest'>;
    onChange: () => void;
  },
): SettingsStore {
  const selectId = database.prepare('select id from sensors where name = ?').pluck();
  const hasReadings = database.prepare('select exists (select 1 from data where sensor = ?)').pluck();
  const hasNotes = database.prepare('select exists (select 1 from notes where sensor = ?)').pluck();
  const selectSettings = database.prepare('select settings from sensor_settings where sensor = ?').pluck();
  const isUncorrected = database
    .prepare('select exists (select 1 from uncorrected_spans where sensor = ?)')
    .pluck();
  const upsert = database.prepare('insert or replace into sensor_settings (sensor, settings) values (?, ?)');
  const remove = database.prepare('delete from sensor_settings where sensor = ?');
  const markDays = database.prepare(
    `insert into stale_days (sensor, day) select sensor, start from roll_ups where sensor = ? and step = 86400
    on conflict do nothing`,
  );
  const countConflicts = database
    .prepare(
      `select count(*) from data join data as other on other.sensor = ? and other.created_at = data.created_at
      where data.sensor = ?`,
    )
    .pluck();

  /** Returns true if readings that get another sensor have to be corrected again. */
  const areCorrected = (keys: readonly number[]): boolean =>
    keys.some((key) => {
      const [text] = selectSettings.all(key) as string[];
      const isPending = (isUncorrected.all(key) as number[])[0] === 1;
      return isPending || (text !== undefined && settingsFrom(text).corrections.length > 0);
    });

  const keyOf = (name: string): number | undefined => (selectId.all(name) as number[])[0];
  const isUsed = (key: number): boolean => (hasReadings.all(key) as number[])[0] === 1;
  const isKnown = (key: number): boolean => isUsed(key) || (hasNotes.all(key) as number[])[0] === 1;

  function storeSettings(key: number, settings: SensorSettings): void {
    const [before] = selectSettings.all(key) as string[];
    if (areDefault(settings)) remove.run(key);
    else upsert.run(key, JSON.stringify(settings));
    const was = settingsIn(before === undefined ? {} : JSON.parse(before));
    if (JSON.stringify(was.thresholds) !== JSON.stringify(settings.thresholds)) markDays.run(key);
    const touched = firstTouched(was.corrections, settings.corrections);
    if (touched !== null) corrections.mark(key, storedMicros(touched));
  }

  /** Changes what takes one transaction, and returns the sensor whose readings a merge has to move. */
  function begin({ sensor, settings, name = sensor, isMerge }: ChangedSensor) {
    const key = keyOf(sensor);
    if (key === undefined || !isKnown(key)) return { outcome: 'unknown' } as const;
    const target = name === sensor ? undefined : keyOf(name);
    if (target === undefined || !isKnown(target)) {
      write(() => {
        if (target !== undefined) removeSensor(database, target, name);
        storeSettings(key, settings);
        if (name !== sensor) renameSensor(database, key, sensor, name);
        onChange();
        corrections.correctNewest(key);
      });
      return { outcome: 'changed' } as const;
    }
    if (!isMerge) return { outcome: 'taken' } as const;
    const [same = 0] = countConflicts.all(target, key) as number[];
    const conflicts = same + sharedSlots(database, key, target);
    if (conflicts > 0) return { outcome: 'conflicts', conflicts } as const;
    write(() => {
      shareRawFrom(database, key, target);
      database.prepare('update notes set sensor = ? where sensor = ?').run(target, key);
      database.prepare('update sensor_aliases set sensor = ? where sensor = ?').run(target, key);
      // From now on, readings that arrive under the former name belong to the target.
      addAlias(database, target, sensor, name);
      onChange();
    });
    return { outcome: 'changed', merged: { key, target } } as const;
  }

  return {
    async load() {
      const rows = await readRows<SettingsRow>(
        'select name, settings from sensor_settings join sensors on sensors.id = sensor',
      );
      const aliases = await readRows<[string, string]>(
        'select sensor_aliases.name, sensors.name from sensor_aliases join sensors on sensors.id = sensor',
      );
      const recomputing = await readRows<[string]>(
        'select name from uncorrected_spans join sensors on sensors.id = sensor',
      );
      return {
        settings: new Map(rows.map(([name, text]) => [name, settingsFrom(text)])),
        aliases: new Map(aliases),
        recomputing: new Set(recomputing.map(([name]) => name)),
      };
    },
    async change(change): Promise<ChangeOutcome> {
      const { merged, ...outcome } = await run(() => {
        const begun = begin(change);
        return 'merged' in begun ? begun : { ...begun, merged: undefined };
      }).finally(onChange);
      if (merged) {
        const { key, target } = merged;
        for (let isDone = false; !isDone; await nextTurn()) {
          await run(() =>
            write(() => {
              const moved = moveSlots(database, key, target, TURN_READINGS);
              isDone = moved + moveReadings(database, key, target, TURN_READINGS - moved) < TURN_READINGS;
              if (areCorrected([key, target])) corrections.mark(target, Number.MIN_SAFE_INTEGER);
              if (isDone && !isUsed(key)) removeSensor(database, key, change.sensor);
              onChange();
            }),
          );
        }
      }
      onChange();
      return outcome;
    },
  };
}
