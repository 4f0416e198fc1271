/** A value as a page shows it: at most two decimals, no padding, and no grouping to be read as a decimal point. */
export function formatValue(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return String(Number.isFinite(rounded) ? rounded + 0 : value);
}
