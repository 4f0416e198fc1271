/**
 * Returns the seconds of a `Retry-After` header, a number of seconds or a date, from `now` in milliseconds on; null if it
 * is missing or neither. Discord sends fractions.
 */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // `Date.parse` takes nearly anything; an HTTP date begins with a day of the week.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now) / 1000));
}
