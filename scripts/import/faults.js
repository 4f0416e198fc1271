/** Counts the values of a file that no working sensor reports. */
import { counted } from '../../app/readings/format/counted.js';
import { TABLE } from '../../app/readings/metric-table.js';
import { isPlausible } from './numbers.js';

/** @typedef {import('./columns.js').MetricField} MetricField */

/** Returns a counter of faulty values, for a warning: they are stored, but don't count as measurements. */
export function faultCounter() {
  /** @type {Map<MetricField, { count: number, first: string }>} */
  const found = new Map();
  return {
    /** @param {import('./send.js').Line} row */
    note({ line, reading }) {
      for (const { field } of TABLE) {
        const value = reading[field];
        if (typeof value !== 'number' || isPlausible(field, value)) continue;
        const { count = 0, first = `${value} in line ${line}` } = found.get(field) ?? {};
        found.set(field, { count: count + 1, first });
      }
    },
    /** Returns a warning for each metric with such values. */
    warnings() {
      return TABLE.flatMap(({ field, unit, plausible: { from, to } }) => {
        const { count = 0, first } = found.get(field) ?? {};
        if (count === 0) return [];
        const values = `${counted(count, 'value')} of ${field} ${count === 1 ? 'is' : 'are'}`;
        return [
          `Warning: ${values} outside ${from} to ${to}${unit && ` ${unit}`}, the first ${first}: stored as ${count === 1 ? 'a fault' : 'faults'} of the sensor. Is the unit right (--units)?`,
        ];
      });
    },
  };
}
