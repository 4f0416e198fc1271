import { barShares, type TimePart } from './time-in-level';

/** With forced colours, parts are empty, striped, full and dotted: the patterns below. */
const FILLS: Record<TimePart['kind'], string> = {
  good: 'fill-good-ink forced-colors:fill-[Canvas]',
  moderate: 'fill-moderate-ink forced-colors:fill-[url(#time-stripes)]',
  poor: 'fill-poor-ink forced-colors:fill-[CanvasText]',
  without: 'fill-[url(#time-without)] forced-colors:fill-[url(#time-dots)]',
};

/** A bar of the time at each level and without readings. The words below it say the same. */
export function LevelBar({ parts }: { parts: readonly TimePart[] }) {
  const shares = barShares(parts);
  let before = 0;
  return (
    // The Content-Security-Policy allows no inline style, but attributes of an SVG.
    <svg
      aria-hidden="true"
      className="h-3 w-full rounded-full bg-canvas forced-color-adjust-none forced-colors:border forced-colors:border-[CanvasText]"
    >
      {parts.map(({ kind }, i) => {
        const start = before;
        before += shares[i] as number;
        return (
          <g key={kind}>
            <rect
              data-part={kind}
              x={percent(start)}
              width={percent(shares[i] as number)}
              height="100%"
              className={FILLS[kind]}
            />
            {start > 0 && (
              <line
                x1={percent(start)}
                x2={percent(start)}
                y2="100%"
                className="stroke-surface stroke-2 forced-colors:stroke-[CanvasText] forced-colors:stroke-1"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/** The patterns that level bars refer to. A page with bars has them once. */
export function LevelBarPatterns() {
  return (
    <svg aria-hidden="true" className="absolute size-0">
      <pattern
        id="time-without"
        width="7"
        height="7"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="7" height="7" className="fill-surface" />
        <rect width="2" height="7" className="fill-muted" fillOpacity={0.45} />
      </pattern>
      <pattern
        id="time-stripes"
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="2" height="6" className="fill-[CanvasText]" />
      </pattern>
      <pattern id="time-dots" width="6" height="6" patternUnits="userSpaceOnUse">
        <circle cx="3" cy="3" r="1" className="fill-[CanvasText]" />
      </pattern>
    </svg>
  );
}
