/** Parses times in the formats of other programs. */
import { ImportError } from '../fail.js';

/** @typedef {'mdy' | 'dmy'} DateOrder */

/**
 * @typedef {object} TimeOptions
 * @property {string} [timeZone] an IANA name, for times without an offset
 * @property {DateOrder} [dateOrder] for dates like 03/04/2026
 */

const DAY_MS = 24 * 60 * 60_000;

const CLOCK = String.raw`(?:,?[ T]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*([AaPp]\.?[Mm]\.?)?)?`;
const ZONE = String.raw`\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?`;
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${CLOCK}${ZONE}$`, 'i');
const YEAR_LAST = new RegExp(`^(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4})${CLOCK}${ZONE}$`, 'i');

/**
 * Returns a parser for times. It accepts ISO 8601 with `T` or a space, `31.1.2026 12:00`, `1/31/2026 12:00 PM`, and Unix time in
 * seconds, milliseconds, microseconds or nanoseconds.
 *
 * When clocks go back, some local times occur twice. Such a time is read as the first occurrence until the sensor's times repeat,
 * then as the second. In a file with the newest reading first, it is the other way round.
 *
 * @param {TimeOptions} options
 */
export function timeParser({ timeZone, dateOrder }) {
  const offsetAt = timeZone ? zoneOffsets(timeZone) : null;
  /** @typedef {{ previous: number, isDescending: boolean }} Sequence */
  /** @type {Map<string, Sequence>} Each sensor's times have their own order. */
  const sequences = new Map();
  let repeated = 0;

  /** @param {string} sensor */
  function sequenceOf(sensor) {
    const sequence = sequences.get(sensor) ?? { previous: Number.NaN, isDescending: false };
    sequences.set(sensor, sequence);
    return sequence;
  }

  /**
   * @param {number} wall the local clock time as if it were UTC, in microseconds
   * @param {string} text
   * @param {Sequence} sequence
   */
  function fromZone(wall, text, { previous, isDescending }) {
    if (!offsetAt) {
      throw new ImportError(
        `the time "${text}" has no offset from UTC. Add --time-zone with the zone of the file, such as Europe/Berlin or UTC`,
      );
    }
    const ms = Math.floor(wall / 1000);
    const offsets = [offsetAt(ms - DAY_MS), offsetAt(ms + DAY_MS)];
    const times = [...new Set(offsets)].filter((offset) => offsetAt(ms - offset) === offset);
    const [first, second] = times.map((offset) => wall - offset * 1000).sort((a, b) => a - b);
    if (first === undefined) {
      throw new RangeError(`"${text}" does not exist in ${timeZone}: the clocks went forward then`);
    }
    if (second === undefined) return first;
    repeated += 1;
    if (isDescending) return second < previous ? second : first;
    return first <= previous ? second : first;
  }

  return {
    /** Returns the number of parsed times that occur twice. */
    repeated: () => repeated,
    /**
     * Returns a time in microseconds since 1970. Throws a `RangeError` if the text isn't a time, and an `ImportError` if an
     * option is missing.
     *
     * @param {string} text
     * @param {string} [sensor]
     */
    parse(text, sensor = '') {
      if (/^\d+(\.\d+)?$/.test(text)) return fromUnixTime(text);
      const { date, clock, zone } = splitTime(text, dateOrder);
      const wall = wallTime(date, clock, text);
      if (zone) return wall - offsetUs(zone);
      const sequence = sequenceOf(sensor);
      const time = fromZone(wall, text, sequence);
      const { previous } = sequence;
      if (time !== previous && !Number.isNaN(previous)) sequence.isDescending = time < previous;
      sequence.previous = time;
      return time;
    },
  };
}

const QUARTER_MS = 15 * 60_000;
const CACHED_OFFSETS = 1000;

/**
 * Returns a function for a zone's offset from UTC at a time, both in milliseconds.
 *
 * @param {string} timeZone
 */
function zoneOffsets(timeZone) {
  const fields = /** @type {const} */ (['year', 'month', 'day', 'hour', 'minute', 'second']);
  const format = createFormat(timeZone, Object.fromEntries(fields.map((field) => [field, 'numeric'])));
  /** @type {Map<number, number>} A cache per quarter of an hour, because offsets change only at its multiples. */
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

/** @param {string} timeZone @param {Intl.DateTimeFormatOptions} fields */
function createFormat(timeZone, fields) {
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory', { ...fields, timeZone, hourCycle: 'h23' });
  } catch {
    throw new ImportError(`--time-zone must be a zone like Europe/Berlin or UTC, not "${timeZone}"`);
  }
}

/** @param {string} text */
function fromUnixTime(text) {
  const digits = text.split('.')[0]?.length ?? 0;
  if (digits <= 11) return Math.round(Number(text) * 1e6);
  if (digits <= 14) return Math.round(Number(text) * 1000);
  if (digits <= 17) return Math.floor(Number(text));
  // A number can't hold all digits of nanoseconds exactly, so drop the last three.
  return Number(text.slice(0, digits - 3));
}

/** @param {string} text @param {DateOrder | undefined} dateOrder */
function splitTime(text, dateOrder) {
  const [isoMatch, year, , month, day, ...rest] = YEAR_FIRST.exec(text) ?? [];
  if (isoMatch) return { date: [year, month, day].map(Number), clock: rest.slice(0, 5), zone: rest[5] };
  const [match, first, separator, second, lastYear, ...others] = YEAR_LAST.exec(text) ?? [];
  if (!match) throw new RangeError(`"${text}" is not a time in a known format`);
  const [a, b] = [Number(first), Number(second)];
  const order = separator === '.' ? 'dmy' : (dateOrder ?? onlyOrder(a, b, text));
  const date = order === 'dmy' ? [Number(lastYear), b, a] : [Number(lastYear), a, b];
  return { date, clock: others.slice(0, 5), zone: others[5] };
}

/**
 * @param {number} a
 * @param {number} b
 * @param {string} text
 * @returns {DateOrder}
 */
function onlyOrder(a, b, text) {
  if (a > 12 && b <= 12) return 'dmy';
  if ((b > 12 && a <= 12) || a === b) return 'mdy';
  throw new ImportError(
    `the date "${text}" can be read in two ways. Add --date-order mdy if the month comes first, or dmy if the day does`,
  );
}

/** @param {number[]} date @param {(string | undefined)[]} clock @param {string} text */
function wallTime([year = 0, month = 0, day = 0], [hour, minute, second, decimals = '', half], text) {
  if (hour === undefined) {
    throw new RangeError(
      `the time "${text}" is a date without a time of day. If another column has it, name both: --columns 'created_at=Date+Time'`,
    );
  }
  const hours = half ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour ?? 0);
  const midnight = Date.UTC(year, month - 1, day);
  const seconds = hours * 3600 + Number(minute ?? 0) * 60 + Number(second ?? 0);
  const isClock = hours < 24 && Number(minute ?? 0) < 60 && Number(second ?? 0) < 60;
  if (!isClock || new Date(midnight).getUTCDate() !== day || month > 12 || (half && Number(hour) > 12)) {
    throw new RangeError(`the time "${text}" does not exist`);
  }
  return midnight * 1000 + seconds * 1e6 + Number(decimals.slice(0, 6).padEnd(6, '0'));
}

/** @param {string} zone */
function offsetUs(zone) {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60e6 : 0;
}

/**
 * Formats a time for the API, with six decimals only if milliseconds aren't exact.
 *
 * @param {number} us microseconds since 1970
 */
export function formatTime(us) {
  const ms = Math.floor(us / 1000);
  const rest = us - ms * 1000;
  const text = new Date(ms).toISOString();
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}
