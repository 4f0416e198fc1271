/** Formats a value with at most two decimals, without padding or thousands separators. */
export function formatValue(value: number): string {
  // Multiplying a very large whole number by 100 would lose digits. Adding 0 turns -0 into 0.
  return String((Number.isInteger(value) ? value : Math.round(value * 100) / 100) + 0);
}
