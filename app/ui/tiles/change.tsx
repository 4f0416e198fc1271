import { formatChange, formatShortChange, isBeyondPercent } from './percentage-change';

/** As long as `+12.34%`: fits the narrowest tile, of a screen 320 px wide. */
const LENGTH_THAT_FITS = 7;

/**
 * The percentage change: green if it rises, red if it falls (specification, section 4). Where the specified form doesn't
 * fit, it is short; exact in the title and for screen readers.
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
