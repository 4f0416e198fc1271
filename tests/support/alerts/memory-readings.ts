import { compareReadings, type Reading, type ReadingInput, sensorOf } from '../../../app/readings/reading';
import type { ReadingStore } from '../../../app/store/reading-store';

/** Keeps readings in memory, with the parts of a store that alerts use. */
export function memoryReadings(pageRows = 1000) {
  const stored: Reading[] = [];
  const listeners = new Set<(reading: Reading) => void>();
  const store: Pick<ReadingStore, 'inserts' | 'read' | 'newest'> = {
    inserts: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async *read({ after, sensor, from = '' }) {
      const selected = stored.filter(
        (reading) =>
          reading.id > (after ?? 0) &&
          (sensor === undefined || sensorOf(reading) === sensor) &&
          reading.created_at >= from,
      );
      if (after === undefined) selected.sort(compareReadings);
      for (let i = 0; i < selected.length; i += pageRows) yield selected.slice(i, i + pageRows);
    },
    newest: async () => stored.slice(-1),
  };
  /** Stores readings as another process does. */
  function insertElsewhere(inputs: readonly (ReadingInput & { created_at: string })[]): Reading[] {
    const readings = inputs.map((input, i) => ({ ...input, id: stored.length + 1 + i }));
    stored.push(...readings);
    return readings;
  }
  return {
    store,
    insertElsewhere,
    insert(inputs: readonly (ReadingInput & { created_at: string })[]): Reading[] {
      const readings = insertElsewhere(inputs);
      for (const reading of readings) for (const listener of listeners) listener(reading);
      return readings;
    },
  };
}
