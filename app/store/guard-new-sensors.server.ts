import { setTimeout as sleep } from 'node:timers/promises';
import { at } from '../readings/at';
import { type ReadingInput, sensorOf, UNNAMED } from '../readings/reading';
import { type AdmittedSensor, KnownNames } from './known-names';
import { type ReadingStore, SensorRefusedError } from './reading-store';

/** The first insert waits at most this long for the names. Posts have to be answered within 5 s. */
const LONGEST_WAIT_MS = 1000;
/** A refusal reads the names again if they are older than this, because another program may have deleted sensors. */
const READ_AGAIN_MS = 60_000;

/**
 * Returns a store that refuses readings and notes that would create a sensor beyond `limit`, or one with a name that
 * can't be seen or told from another one. Known sensors cost one lookup. If the names can't be read, nothing is refused.
 */
export function guardNewSensors(store: ReadingStore, limit: number): ReadingStore {
  let known: KnownNames | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      known = new KnownNames(await store.names(), limit);
    } catch {
      // The insert itself reports a store that can't be reached.
    }
    readAt = performance.now();
  }

  /** Resolves once the names are read, or after a second. */
  async function readSoon(): Promise<void> {
    if (performance.now() - readAt < READ_AGAIN_MS) return;
    reading ??= read().finally(() => {
      reading = null;
    });
    await Promise.race([reading, sleep(LONGEST_WAIT_MS, undefined, { ref: false })]);
  }

  const isKnown = (sensor: string): boolean => sensor === UNNAMED || known?.has(sensor) === true;

  async function admit(sensor: string): Promise<AdmittedSensor> {
    if (!known) await readSoon();
    try {
      return known?.admit(sensor) ?? { name: sensor, isNew: false };
    } catch (error) {
      await readSoon();
      return known?.admit(sensor) ?? Promise.reject(error);
    }
  }

  /** Runs `write` under the sensor's name. Forgets a new name if the write fails. */
  async function underName<Result>(
    sensor: string,
    write: (name: string) => Promise<Result>,
  ): Promise<Result> {
    const { name, isNew } = await admit(sensor);
    try {
      return await write(name);
    } catch (error) {
      if (isNew) known?.remove(name);
      throw error;
    }
  }

  /** Stores the readings of admitted sensors, and refuses the others one by one. */
  async function insertSome(readings: readonly ReadingInput[]): ReturnType<ReadingStore['insertAll']> {
    const answers = new Map<string, AdmittedSensor | SensorRefusedError>();
    for (const sensor of new Set(readings.map(sensorOf))) {
      answers.set(
        sensor,
        isKnown(sensor) ? { name: sensor, isNew: false } : await admit(sensor).catch(asRefusal),
      );
    }
    const added = new Set<string>();
    const accepted: ReadingInput[] = [];
    const refusals = readings.map((reading) => {
      const answer = answers.get(sensorOf(reading)) as AdmittedSensor | SensorRefusedError;
      if (answer instanceof SensorRefusedError) return answer;
      if (answer.isNew) added.add(answer.name);
      accepted.push(named(reading, answer.name));
      return null;
    });
    try {
      const results = accepted.length > 0 ? await store.insertAll(accepted) : [];
      for (const result of results) if ('outcome' in result) added.delete(sensorOf(result.reading));
      let next = 0;
      return refusals.map((refusal) => refusal ?? at(results, next++));
    } finally {
      for (const name of added) known?.remove(name);
    }
  }

  return {
    ...store,
    insert(reading) {
      const sensor = sensorOf(reading);
      if (isKnown(sensor)) return store.insert(reading);
      return underName(sensor, (name) => store.insert(named(reading, name)));
    },
    insertAll: (readings) =>
      readings.every((reading) => isKnown(sensorOf(reading)))
        ? store.insertAll(readings)
        : insertSome(readings),
    settings: {
      ...store.settings,
      async change(change) {
        const outcome = await store.settings.change(change);
        // The next new name reads the names, which may be others now.
        known = null;
        readAt = Number.NEGATIVE_INFINITY;
        return outcome;
      },
    },
    deletions: {
      ...store.deletions,
      async remove(deletion) {
        const deleted = await store.deletions.remove(deletion);
        known = null;
        readAt = Number.NEGATIVE_INFINITY;
        return deleted;
      },
    },
    notes: {
      ...store.notes,
      add(note) {
        if (isKnown(note.sensor)) return store.notes.add(note);
        return underName(note.sensor, (name) => store.notes.add({ ...note, sensor: name }));
      },
    },
  };
}

function asRefusal(error: unknown): SensorRefusedError {
  if (error instanceof SensorRefusedError) return error;
  throw error;
}

const named = (reading: ReadingInput, name: string): ReadingInput =>
  sensorOf(reading) === name ? reading : { ...reading, sensor: name };
