/** Rows of a file with the same sensor and time. */

/** @typedef {import('./send.js').Line} Line */
/** @typedef {Line & { averages: Record<'co2' | 'voc', { sum: number, count: number }> }} Waiting */

const METRICS = /** @type {const} */ (['co2', 'voc']);

/**
 * Holds readings back before they are sent, so that a later row of the same sensor and time can meet them.
 *
 * @param {import('./arguments.js').ConflictRule} rule
 */
export function conflictWindow(rule) {
  /** @type {Map<string, Waiting>} */
  const waiting = new Map();
  return {
    /** Returns how many readings wait. */
    size: () => waiting.size,
    /**
     * Adds a reading. Returns `new`, or for a row of a sensor and time that waits already, `same` if its values are equal,
     * else `other`: then the rule has been applied.
     *
     * @param {Line} row
     * @returns {'new' | 'same' | 'other'}
     */
    add({ line, reading }) {
      const { created_at, sensor = '', co2, voc } = reading;
      // The server refuses text, and another row may be right.
      const isValid = typeof co2 !== 'string' && typeof voc !== 'string';
      const key = isValid ? `${created_at} ${sensor}` : `line ${line}`;
      const first = waiting.get(key);
      if (!first) {
        waiting.set(key, { line, reading, averages: { co2: partOf(co2), voc: partOf(voc) } });
        return 'new';
      }
      for (const metric of METRICS) {
        const { sum, count } = partOf(reading[metric]);
        first.averages[metric].sum += sum;
        first.averages[metric].count += count;
      }
      if (first.reading.co2 === co2 && first.reading.voc === voc) return 'same';
      if (rule === 'replace') first.reading = reading;
      if (rule === 'average') {
        const { co2, voc } = first.averages;
        first.reading = { ...first.reading, co2: averageOf(co2), voc: averageOf(voc) };
      }
      return 'other';
    },
    /**
     * Removes and returns the readings that have waited longest.
     *
     * @param {number} most
     * @returns {Line[]}
     */
    take(most) {
      const taken = [...waiting].slice(0, most);
      for (const [key] of taken) waiting.delete(key);
      return taken.map(([, { line, reading }]) => ({ line, reading }));
    },
  };
}

/** @param {number | string | null} value */
function partOf(value) {
  return { sum: Number(value ?? 0), count: value === null ? 0 : 1 };
}

/** @param {{ sum: number, count: number }} average */
function averageOf({ sum, count }) {
  return count === 0 ? null : sum / count;
}
