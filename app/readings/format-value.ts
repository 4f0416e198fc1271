/** A value as a page shows it: at most two decimals, no padding, and no grouping to be read as a decimal point. */
export function formatValue(value: number): string {
  // A whole number is left alone: times a hundred, a very large one would lose digits.
  return String((Number.isInteger(value) ? value : Math.round(value * 100) / 100) + 0);
}
