/** Resolves rows of a file with the same sensor and time but different values. */
import { FIELDS } from './columns.js';

/** @typedef {import('./send.js').Line} Line */
/** @typedef {import('./readings.js').Reading} Reading */
/** @typedef {Line & { sums: Map<import('./columns.js').MetricField, { sum: number, count: number }> }} Waiting */

/**
 * Delays readings, so that a later row with the same sensor and time can still replace them or change their average.
 *
 * @param {import('./arguments.js').ConflictRule} rule
 */
export function conflictWindow(rule) {
  /** @type {Map<string, Waiting>} */
  const waiting = new Map();

  /** @param {Waiting} row @param {Reading} reading */
  function addUp({ sums }, reading) {
    for (const field of FIELDS) {
      const value = reading[field] ?? null;
      if (value === null) continue;
      const { sum, count } = sums.get(field) ?? { sum: 0, count: 0 };
      sums.set(field, { sum: sum + Number(value), count: count + 1 });
    }
  }

  return {
    /** Returns the number of waiting readings. */
    size: () => waiting.size,
    /**
     * Adds a reading. Returns `new`, unless a reading with the same sensor and time is waiting: then `same` if the values are
     * equal, else `other` after applying the rule.
     *
     * @param {Line} row
     * @returns {'new' | 'same' | 'other'}
     */
    add({ line, reading }) {
      const { created_at, sensor = '' } = reading;
      // The server will refuse text, so it must not block or replace a valid row.
      const isValid = FIELDS.every((field) => typeof reading[field] !== 'string');
      const key = isValid ? `${created_at} ${sensor}` : `line ${line}`;
      const first = waiting.get(key);
      const row = first ?? { line, reading, sums: new Map() };
      addUp(row, reading);
      if (!first) {
        waiting.set(key, row);
        return 'new';
      }
      if (FIELDS.every((field) => (first.reading[field] ?? null) === (reading[field] ?? null))) return 'same';
      if (rule === 'replace') first.reading = reading;
      if (rule === 'average') {
        const averages = [...first.sums].map(([field, { sum, count }]) => [field, sum / count]);
        first.reading = { ...first.reading, ...Object.fromEntries(averages) };
      }
      return 'other';
    },
    /** Removes and returns the oldest waiting readings. @param {number} most @returns {Line[]} */
    take(most) {
      const taken = [...waiting].slice(0, most);
      for (const [key] of taken) waiting.delete(key);
      return taken.map(([, { line, reading }]) => ({ line, reading }));
    },
  };
}
