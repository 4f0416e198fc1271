/**
 * Returns the quartiles of at least one value, interpolated as in most spreadsheets (Hyndman and Fan, "Sample quantiles in
 * statistical packages", 1996, definition 7).
 */
export function quartilesOf(values: readonly number[]): { lower: number; median: number; upper: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => {
    const position = (sorted.length - 1) * share;
    const [below, above] = [sorted[Math.floor(position)] as number, sorted[Math.ceil(position)] as number];
    const weight = position - Math.floor(position);
    // `above - below` could overflow to Infinity.
    return below * (1 - weight) + above * weight;
  };
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) };
}
