import { compareReadings, type Reading, type ReadingInput, sensorOf } from '../../../app/readings/reading';
import type { ReadingStore } from '../../../app/store/reading-store';

/**
 * Keeps readings in memory, with the parts of a store that alerts use.
 *
 * @param clockLeadMs that of a store with a clock of its own
 */
export function memoryReadings(pageRows = 1000, clockLeadMs?: number) {
  const stored: Reading[] = [];
  const listeners = new Set<(reading: Reading) => void>();
  const store: Pick<ReadingStore, 'inserts' | 'read' | 'newest' | 'clockLeadMs'> = {
    inserts: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async *read({ after, sensor, from = '', to = '9999', limit }) {
      const selected = stored.filter(
        (reading) =>
          reading.id > (after ?? 0) &&
          (sensor === undefined || sensorOf(reading) === sensor) &&
          reading.created_at >= from &&
          reading.created_at < to,
      );
      if (after === undefined) selected.sort(compareReadings);
      if (limit !== undefined) selected.splice(0, selected.length - limit);
      for (let i = 0; i < selected.length; i += pageRows) yield selected.slice(i, i + pageRows);
    },
    newest: async () => stored.slice(-1),
    ...(clockLeadMs !== undefined && { clockLeadMs: () => clockLeadMs }),
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
