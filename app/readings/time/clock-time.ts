/** Formats a local time as `13:05`. */
export function clockTime(time: Date): string {
  return `${time.getHours()}:${padded(time.getMinutes())}`;
}

/** Formats a local time as `13:05:09`. */
export function clockTimeToSecond(time: Date): string {
  return `${clockTime(time)}:${padded(time.getSeconds())}`;
}

/** Times in a shorter span are shown with seconds. */
const SECONDS_BELOW_MS = 600_000;

/** Returns the time format for a span: with seconds if it is short. */
export function clockTimeIn(spanMs: number): (time: Date) => string {
  return spanMs < SECONDS_BELOW_MS ? clockTimeToSecond : clockTime;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}
