/** Parses times in the formats of other programs. */
import { ImportError } from '../fail.js';

/** @typedef {'mdy' | 'dmy' | 'ymd'} DateOrder `ymd` only for years of two digits */

/**
 * @typedef {object} TimeOptions
 * @property {string} [timeZone] an IANA name or an offset such as `-07:00`, for times without an offset
 * @property {DateOrder} [dateOrder] for dates like 03/04/2026
 */

/** A date that a text may mean. Without an order, it is certain. @typedef {{ order?: DateOrder, date: number[] }} DateGuess */

const DAY_MS = 24 * 60 * 60_000;

const CLOCK = String.raw`(?:,?(?:[\sT]|\sat\s)+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*([AaPp]\.?[Mm]\.?)?)?`;
/** Also `GMT+0200 (CEST)` of JavaScript, and `+0000 UTC` of Go. */
const ZONE = String.raw`\s*(Z|(?:UTC|GMT)? ?[+-]\d{1,2}(?::?\d\d)?|UTC|GMT)?(?: \([^)]*\)| UTC)?`;
const NUMERIC = new RegExp(
  `^(\\d{4}|\\d{1,2})([-/.])\\s?(\\d{1,2})\\2\\s?(\\d{4}|\\d{1,2})\\.?${CLOCK}${ZONE}$`,
  'i',
);
const MONTH = String.raw`(\p{L}{3,9})\.?`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?`;
const NAMED = new RegExp(
  `^(?:\\p{L}{2,10}\\.?,?\\s+)?(?:${DAY}[\\s-]*${MONTH}|${MONTH}[\\s-]*${DAY},?)[\\s-]+(\\d{4}|\\d\\d)${CLOCK}${ZONE}$`,
  'iu',
);
/** English and German names of months by their first letters. */
const MONTHS = [
  'jan',
  'feb',
  'm[aä]r|mrz',
  'apr',
  'ma[iy]',
  'jun',
  'jul',
  'aug',
  'sep',
  'o[ck]t',
  'nov',
  'de[cz]',
].map((name) => new RegExp(`^(${name})`, 'i'));

/**
 * Returns a parser for times. It accepts ISO 8601 with `T` or a space, `31.1.2026 12:00`, `1/31/26 12:00 PM`, `31 Jan 2026 12:00`,
 * and Unix time in seconds, milliseconds, microseconds or nanoseconds.
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
      if (/^\d+([.,]\d+)?$/.test(text)) return fromUnixTime(text.replace(',', '.'));
      const { dates, clock, zone } = splitTime(text);
      const wall = wallTime(chosenDate(dates, dateOrder, text), clock, text);
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
  if (/^[+-]/.test(timeZone)) return fixedOffset(timeZone);
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

/** @param {string} offset such as `-07:00` */
function fixedOffset(offset) {
  if (!/^[+-]\d\d?(:?\d\d)?$/.test(offset)) createFormat(offset, {});
  return () => offsetUs(offset) / 1000;
}

/** @param {string} timeZone @param {Intl.DateTimeFormatOptions} fields */
function createFormat(timeZone, fields) {
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory', { ...fields, timeZone, hourCycle: 'h23' });
  } catch {
    throw new ImportError(`--time-zone must be a zone like Europe/Berlin or UTC, not "${timeZone}"`);
  }
}

/** Unix times before 2000, in microseconds, are day numbers of a spreadsheet, or of a clock that wasn't set. */
const OLDEST_UNIX_TIME = Date.UTC(2000, 0, 1) * 1000;

/** @param {string} text */
function fromUnixTime(text) {
  const digits = text.split('.')[0]?.length ?? 0;
  const time = unixTime(text, digits);
  if (time >= OLDEST_UNIX_TIME) return time;
  throw new RangeError(
    `"${text}" is before 2000 as Unix time. If it is the day number of a spreadsheet, format the column as date and time there`,
  );
}

/** @param {string} text @param {number} digits before the point */
function unixTime(text, digits) {
  if (digits <= 11) return Math.round(Number(text) * 1e6);
  if (digits <= 14) return Math.round(Number(text) * 1000);
  if (digits <= 17) return Math.floor(Number(text));
  // A number can't hold all digits of nanoseconds exactly, so drop the last three.
  return Number(text.slice(0, digits - 3));
}

/**
 * Splits a time into the dates that it may mean, the time of day and the offset.
 *
 * @param {string} text
 * @returns {{ dates: DateGuess[], clock: (string | undefined)[], zone: string | undefined }}
 */
function splitTime(text) {
  const [named, dayFirst, monthLast, monthFirst, dayLast, namedYear, ...rest] = NAMED.exec(text) ?? [];
  if (named) {
    const month = MONTHS.findIndex((name) => name.test(monthLast ?? monthFirst ?? '')) + 1;
    if (month === 0) throw new RangeError(`"${text}" is not a time in a known format`);
    const date = [fullYear(namedYear), month, Number(dayFirst ?? dayLast)];
    return { dates: [{ date }], clock: rest.slice(0, 5), zone: rest[5] };
  }
  if (text === '') throw new RangeError('the time is missing');
  if (/^\d{1,2}:\d\d/.test(text)) {
    throw new RangeError(
      `"${text}" is a time of day without a date. If another column has it, name both: --columns 'created_at=Date+Time'`,
    );
  }
  const [match, first = '', separator, second, third = '', ...others] = NUMERIC.exec(text) ?? [];
  if (!match || (first.length === 4 && third.length === 4)) {
    throw new RangeError(`"${text}" is not a time in a known format`);
  }
  const middle = Number(second);
  /** @type {DateGuess[]} */
  const dates =
    first.length === 4
      ? [{ date: [Number(first), middle, Number(third)] }]
      : separator === '.'
        ? [{ date: [fullYear(third), middle, Number(first)] }]
        : [
            { order: 'mdy', date: [fullYear(third), Number(first), middle] },
            { order: 'dmy', date: [fullYear(third), middle, Number(first)] },
            ...(third.length === 4
              ? []
              : [{ order: /** @type {const} */ ('ymd'), date: [fullYear(first), middle, Number(third)] }]),
          ];
  return { dates, clock: others.slice(0, 5), zone: others[5] };
}

/** @param {string} [year] of two or four digits */
const fullYear = (year = '') => Number(year) + (year.length < 4 ? 2000 : 0);

/** @param {DateGuess} guess */
function exists({ date: [year = 0, month = 0, day = 0] }) {
  return month >= 1 && month <= 12 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/**
 * Returns the times that a text may mean by each order of its date, in local milliseconds; an empty map if the order doesn't matter.
 *
 * @param {string} text
 * @returns {Map<DateOrder, number>}
 */
export function timesByOrder(text) {
  try {
    const { dates, clock } = splitTime(text);
    return new Map(
      dates
        .filter(exists)
        .flatMap(({ order, date }) => (order ? [[order, wallTime(date, clock, text) / 1000]] : [])),
    );
  } catch (error) {
    if (error instanceof RangeError) return new Map();
    throw error;
  }
}

/**
 * @param {DateGuess[]} dates
 * @param {DateOrder | undefined} dateOrder
 * @param {string} text
 */
function chosenDate(dates, dateOrder, text) {
  const [only] = dates;
  if (only && dates.length === 1) return only.date;
  const possible = dates.filter((guess) => exists(guess) && (!dateOrder || guess.order === dateOrder));
  const [first] = possible;
  if (!first) throw new RangeError(`the time "${text}" does not exist${dateOrder ? ` as ${dateOrder}` : ''}`);
  if (possible.every(({ date }) => date.join() === first.date.join())) return first.date;
  throw new ImportError(
    twoWays(
      text,
      possible.some(({ order }) => order === 'ymd'),
    ),
  );
}

/**
 * Returns the message about a date that can be read in several ways.
 *
 * @param {string} text
 * @param {boolean} hasYearFirst
 */
export function twoWays(text, hasYearFirst) {
  const year = hasYearFirst ? ', or ymd if the year does' : '';
  return `the date "${text}" can be read in two ways. Add --date-order mdy if the month comes first, or dmy if the day does${year}`;
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
  if (!isClock || !exists({ date: [year, month, day] }) || (half && Number(hour) > 12)) {
    throw new RangeError(`the time "${text}" does not exist`);
  }
  return midnight * 1000 + seconds * 1e6 + Number(decimals.slice(0, 6).padEnd(6, '0'));
}

/** Returns an offset such as `+05:30` and `UTC-7` in microseconds; 0 for UTC. @param {string} zone */
function offsetUs(zone) {
  const [, sign, hours, minutes = '0'] = /([+-])(\d{1,2}):?(\d\d)?$/.exec(zone) ?? [];
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
