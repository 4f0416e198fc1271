/** Formats a local time as `13:05`. */
export function clockTime(time: Date): string {
  return `${time.getHours()}:${padded(time.getMinutes())}`;
}

/** Formats a local time as `13:05:09`. */
export function clockTimeToSecond(time: Date): string {
  return `${clockTime(time)}:${padded(time.getSeconds())}`;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}
