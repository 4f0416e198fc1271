/** Units of thousands, as in `1.5M`. A value beyond them has its power of ten, as in `2.5e20`. */
const THOUSANDS = ['', 'K', 'M', 'B', 'T'];

/** Formats a value with at most four digits and a unit of thousands: `867.2K`, `1.235M`, `2.5e20`. */
export function formatShort(value: number): string {
  const [digits = 0, exponent = 0] = value.toExponential(3).split('e').map(Number);
  const unit = THOUSANDS[Math.floor(exponent / 3)];
  if (unit === undefined) return `${digits}e${exponent}`;
  return Number((digits * 10 ** (exponent % 3)).toPrecision(4)) + unit;
}

/** Returns a formatted value, or the value in short if the text has more characters than there is room for. */
export function fitValue(text: string, room: number): string {
  return text.length > room ? formatShort(Number(text)) : text;
}
