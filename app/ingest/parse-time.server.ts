import { MAX_AHEAD_MS } from '../readings/now/stale';
import { parseReadingTime } from '../readings/time/reading-time';
import { formatReadingTime } from '../readings/time/stored-time';

const EARLIEST_MS = Date.UTC(2000);
/** Numbers from here on are milliseconds since 1970, below seconds: 1973 in milliseconds, 5138 in seconds. */
const MILLISECONDS_FROM = 1e11;
/** The last millisecond of the year 9999. */
const LATEST_MS = 253_402_300_799_999;
const TEXT_LIMIT = 64;

const NUMBER = /^\d+(\.\d*)?$/;
const WITHOUT_SECONDS = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(?= ?Z| ?[+-]|$)/i;
const LIKE_A_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?Z| ?[+-]\d\d(:?\d\d)?)?$/i;

const NOT_A_TIME = 'must be a time like "2026-01-31T12:00:00Z", or seconds or milliseconds since 1970';
const NO_OFFSET = 'has no offset from UTC: add "Z" if the time is in UTC, or an offset like "+02:00"';
const NO_SUCH_TIME = 'is a time that the calendar or the clock does not have';

/**
 * Parses the time at which a sensor measured: ISO 8601 with an offset or `Z`, or Unix time in seconds or milliseconds as
 * a number or text of one. Microseconds count, smaller parts of a second don't.
 *
 * @param reject is called with the reason for an invalid time: one without an offset, more than 60 s ahead of the
 *   server's clock, or before 2000
 * @param now the server's clock in milliseconds since 1970
 * @returns the time in the form of `Reading.created_at`; undefined if it was rejected
 */
export function parseTime(
  sent: string | number,
  reject: (detail: string) => undefined,
  now: number,
): string | undefined {
  const text = typeof sent === 'string' ? sent.trim() : '';
  if (text.length > TEXT_LIMIT) return reject(NOT_A_TIME);
  const isNumber = typeof sent === 'number' || NUMBER.test(text);
  const us = isNumber ? microsecondsOf(Number(sent)) : parseReadingTime(text);
  if (us === null) {
    const complete = text.replace(WITHOUT_SECONDS, '$1:00');
    if (complete !== text) return parseTime(complete, reject, now);
    return reject(isNumber ? NOT_A_TIME : reasonAgainst(text));
  }
  const ms = us / 1000;
  if (ms > now + MAX_AHEAD_MS) {
    const clocks = `is ${shown(ms)}, and the server's clock says ${shown(now)}`;
    return reject(`${clocks}: it may be ${MAX_AHEAD_MS / 1000} s ahead at most. Check both clocks`);
  }
  if (ms < EARLIEST_MS) {
    const clocks = `is ${shown(ms)}, and the server's clock says ${shown(now)}`;
    return reject(
      `${clocks}: times before 2000 are refused. Set the sensor's clock, or leave created_at out`,
    );
  }
  return formatReadingTime(us);
}

/** Rounds, because the double that is nearest to a time with six decimals may lie just below it. */
function microsecondsOf(number: number): number | null {
  if (!Number.isFinite(number)) return null;
  return Math.round(number * (number >= MILLISECONDS_FROM ? 1000 : 1e6));
}

function reasonAgainst(text: string): string {
  if (!LIKE_A_TIME.test(text)) return NOT_A_TIME;
  return parseReadingTime(`${text}Z`) === null ? NO_SUCH_TIME : NO_OFFSET;
}

function shown(ms: number): string {
  return Math.abs(ms) <= LATEST_MS ? new Date(ms).toISOString() : `${ms / 1000} s after 1970`;
}
