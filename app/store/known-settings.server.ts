import { noteOutdoorSensor } from '../config/outdoor-sensor.server';
import type { Thresholds } from '../readings/metric';
import { type ReadingInput, type SensorSummary, sensorOf } from '../readings/reading';
import {
  DEFAULT_SETTINGS,
  type SensorSettings,
  silentAfterMsFor,
  thresholdsFor,
} from '../readings/sensor-settings';
import { type ReadingStore, StoreUnavailableError } from './reading-store';
import type { StoredSettings } from './settings-store';

/** The interval at which changes by other servers of a Supabase project are read. */
const REFRESH_MS = 15_000;
/** The interval at which the end of a recomputation is looked for. */
const RECOMPUTING_MS = 1000;

/** @param areNamesNew true if a sensor got another name */
type SettingsListener = (areNamesNew: boolean) => void;

/** The settings of all sensors, in memory. */
export class KnownSettings {
  #stored: StoredSettings = { settings: new Map(), aliases: new Map(), recomputing: new Set() };
  readonly #thresholds = new Map<string, Thresholds>();
  readonly #listeners = new Set<SettingsListener>();
  #loadedText = '';
  #isFailing = false;
  #isAwaitingEnd = false;

  constructor(
    private readonly store: Pick<ReadingStore, 'settings'>,
    private readonly serverThresholds: Thresholds,
  ) {}

  of(sensor: string): SensorSettings {
    return this.#stored.settings.get(sensor) ?? DEFAULT_SETTINGS;
  }

  /** Returns true while stored readings of a sensor are being corrected again. */
  isRecomputing(sensor: string): boolean {
    return this.#stored.recomputing.has(sensor);
  }

  /** Returns the sensor whose name this is or was. */
  nameOf(sensor: string): string {
    const { aliases } = this.#stored;
    return aliases.size === 0 ? sensor : (aliases.get(sensor) ?? sensor);
  }

  thresholdsOf(sensor: string): Thresholds {
    const own = this.#stored.settings.get(sensor)?.thresholds;
    if (!own) return this.serverThresholds;
    const known = this.#thresholds.get(sensor) ?? thresholdsFor(this.serverThresholds, own);
    this.#thresholds.set(sensor, known);
    return known;
  }

  silentAfterMsOf(sensor: string, serverMs: number | null): number | null {
    return silentAfterMsFor(serverMs, this.#stored.settings.get(sensor));
  }

  /** Returns `RAW_DAYS` of a sensor: its own, else the server's. 0 keeps all raw readings. */
  rawDaysOf(sensor: string, serverDays: number): number {
    return this.of(sensor).raw_days ?? serverDays;
  }

  /** Calls `listener` after each change until the returned function is called. */
  subscribe(listener: SettingsListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the settings. If the store can't be reached, the known ones stay. */
  async refresh(): Promise<void> {
    try {
      const stored = await this.store.settings.load();
      this.#isFailing = false;
      const text = JSON.stringify([...stored.settings, ...stored.aliases, ...stored.recomputing]);
      if (text === this.#loadedText) return;
      this.#loadedText = text;
      const areNamesNew = JSON.stringify([...stored.aliases]) !== JSON.stringify([...this.#stored.aliases]);
      this.#stored = stored;
      this.#thresholds.clear();
      const outdoors = [...stored.settings].filter(([, { place }]) => place === 'outdoors');
      noteOutdoorSensor(outdoors.map(([sensor]) => sensor).sort()[0] ?? null);
      for (const listener of this.#listeners) listener(areNamesNew);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      if (!this.#isFailing) console.error(`[airboard] settings of sensors can't be read: ${error.message}`);
      this.#isFailing = true;
    } finally {
      if (this.#stored.recomputing.size > 0) this.#awaitEnd();
    }
  }

  #awaitEnd(): void {
    if (this.#isAwaitingEnd) return;
    this.#isAwaitingEnd = true;
    setTimeout(() => {
      this.#isAwaitingEnd = false;
      void this.refresh();
    }, RECOMPUTING_MS).unref();
  }

  /** Refreshes now, and again and again if other servers may change the store. */
  async keep(kind: ReadingStore['kind']): Promise<void> {
    await this.refresh();
    if (kind === 'supabase') setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }
}

/**
 * Returns a store that adds their settings to sensors, and stores what arrives under a former name with the sensor that had
 * it.
 */
export function withSettings(store: ReadingStore, known: KnownSettings): ReadingStore {
  const named = <T extends ReadingInput>(reading: T): T => {
    const sensor = sensorOf(reading);
    const name = known.nameOf(sensor);
    return name === sensor ? reading : { ...reading, sensor: name };
  };
  // Member by member: spreading takes 20 µs for each of thousands of sensors.
  const withOwn = ({ name, newest, first_heard, last_heard }: SensorSummary): SensorSummary => {
    const own = known.of(name);
    const { group, place, note, is_hidden, thresholds, silent_after_seconds, corrections, raw_days } = own;
    const settings = {
      group,
      place,
      note,
      is_hidden,
      thresholds,
      silent_after_seconds,
      corrections,
      raw_days,
    };
    const summary: SensorSummary = Object.assign({ name, newest, first_heard, last_heard }, settings);
    if (known.isRecomputing(name)) summary.is_recomputing = true;
    return summary;
  };
  return {
    ...store,
    insert: (reading) => store.insert(named(reading)),
    insertAll: (readings) => store.insertAll(readings.map(named)),
    sensors: async (limit, after) => (await store.sensors(limit, after)).map(withOwn),
    lastHeard: async (shown) => (await store.lastHeard(shown)).map(withOwn),
    notes: {
      ...store.notes,
      add: (note) => store.notes.add({ ...note, sensor: known.nameOf(note.sensor) }),
    },
    settings: {
      ...store.settings,
      async change(change) {
        try {
          return await store.settings.change(change);
        } finally {
          await known.refresh();
        }
      },
    },
  };
}
