/** Returns the median; for an even count, the lower of the middle two; null for an empty list. */
export function lowerMedian(values: readonly number[]): number | null {
  return sorted(values)[Math.ceil(values.length / 2) - 1] ?? null;
}

/** Returns the median; for an even count, the higher of the middle two; null for an empty list. */
export function upperMedian(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

/** Returns the quantile for a share from 0 to 1, without interpolation; null for an empty list. */
export function quantile(values: readonly number[], share: number): number | null {
  return sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? null;
}

/**
 * Returns the quartiles of at least one value, interpolated as in most spreadsheets (Hyndman and Fan, "Sample quantiles in
 * statistical packages", 1996, definition 7).
 */
export function quartilesOf(values: readonly number[]): { lower: number; median: number; upper: number } {
  const ordered = sorted(values);
  const at = (share: number) => {
    const position = (ordered.length - 1) * share;
    const [below, above] = [ordered[Math.floor(position)] as number, ordered[Math.ceil(position)] as number];
    const weight = position - Math.floor(position);
    // `above - below` could overflow to Infinity.
    return below * (1 - weight) + above * weight;
  };
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) };
}

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
