/** Offsets of time zones from UTC. */
import { ImportError } from './error.js';

const QUARTER_MS = 15 * 60_000;
const CACHED_OFFSETS = 1000;

/**
 * Returns a function that returns the offset of a zone from UTC at a time, both in milliseconds.
 *
 * @param {string} timeZone
 */
export function zoneOffsets(timeZone) {
  const fields = /** @type {const} */ (['year', 'month', 'day', 'hour', 'minute', 'second']);
  const format = createFormat(timeZone, Object.fromEntries(fields.map((field) => [field, 'numeric'])));
  /** @type {Map<number, number>} Offsets change at most at a quarter of an hour. */
  const offsets = new Map();
  return (/** @type {number} */ ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      const parts = Object.fromEntries(
        format.formatToParts(quarter * QUARTER_MS).map((p) => [p.type, p.value]),
      );
      const [year = 0, month = 0, day, hour, minute, second] = fields.map((field) => Number(parts[field]));
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * QUARTER_MS;
      if (offsets.size >= CACHED_OFFSETS) offsets.clear();
      offsets.set(quarter, offset);
    }
    return offset;
  };
}

/**
 * @param {string} timeZone
 * @param {Intl.DateTimeFormatOptions} fields
 */
function createFormat(timeZone, fields) {
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory', { ...fields, timeZone, hourCycle: 'h23' });
  } catch {
    throw new ImportError(`--time-zone must be a zone like Europe/Berlin or UTC, not "${timeZone}"`);
  }
}
