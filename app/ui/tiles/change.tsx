/** As long as `+12.34%`: fits the narrowest tile, of a screen 320 px wide. */
const LENGTH_THAT_FITS = 7;

/**
 * The percentage change: green if it rises, red if it falls. Where the exact form doesn't fit, it is short, and exact in the
 * title and for screen readers.
 */
export function Change({ change }: { change: number | null }) {
  const look = !change ? 'text-ink' : change > 0 ? 'text-rise' : 'text-fall';
  const exact = formatChange(change);
  const isLong = change !== null && exact.length > LENGTH_THAT_FITS;
  const isBeyond = isLong && isBeyondPercent(change);
  return (
    <p className={`font-semibold ${look}`} title={isLong ? exact : undefined}>
      <span className="sr-only">change: </span>
      {!!change && <span aria-hidden="true">{change > 0 ? '▲ ' : '▼ '}</span>}
      <span className={isBeyond ? 'sr-only' : isLong ? '@max-[7.5rem]:sr-only' : ''}>{exact}</span>
      {isLong && (
        <span aria-hidden="true" className={isBeyond ? '' : '@min-[7.5rem]:hidden'}>
          {formatShortChange(change)}
        </span>
      )}
    </p>
  );
}

/**
 * Returns the percentage change: (new - previous) / previous * 100, rounded to 2 decimals.
 *
 * @returns percent; null without a previous value, or if it is 0 or the result isn't finite
 */
export function percentageChange(value: number, previous: number | null | undefined): number | null {
  if (previous === null || previous === undefined || previous === 0) return null;
  const change = Math.round(((value - previous) / previous) * 10_000) / 100;
  // Adding 0 turns -0 into 0.
  return Number.isFinite(change) ? change + 0 : null;
}

/** Formats a change as a tile shows it: `+12.34%`, `-5.00%`, `0.00%`, or a dash for null. */
export function formatChange(change: number | null): string {
  if (change === null) return '–';
  return `${change > 0 ? '+' : ''}${change.toFixed(2)}%`;
}

/** Above this percentage the value is more than 1000 times the previous one. */
const THOUSANDFOLD = 99_900;

/** Formats a change where the usual form doesn't fit: `+627%`, `more than ×1000`. */
export function formatShortChange(change: number): string {
  if (isBeyondPercent(change)) return 'more than ×1000';
  return `${change > 0 ? '+' : ''}${Math.round(change)}%`;
}

/** Returns true for a change so large that its percentage is hard to read, such as from 1 to 2000. */
export function isBeyondPercent(change: number): boolean {
  return Math.abs(change) > THOUSANDFOLD;
}
