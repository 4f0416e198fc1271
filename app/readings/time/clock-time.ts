/** Formats a local time as `13:05`. */
export function clockTime(time: Date): string {
  return `${time.getHours()}:${padded(time.getMinutes())}`;
}

/** Formats a local time as `13:05:09`. */
export function clockTimeToSecond(time: Date): string {
  return `${clockTime(time)}:${padded(time.getSeconds())}`;
}

/** In a span that is shorter, minutes aren't enough. */
const SECONDS_BELOW_MS = 600_000;

/** Returns the format of times in a span of this many milliseconds: to the second if it is short. */
export function clockTimeIn(spanMs: number): (time: Date) => string {
  return spanMs < SECONDS_BELOW_MS ? clockTimeToSecond : clockTime;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}
