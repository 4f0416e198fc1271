import type { Level } from '../../readings/level';
import type { Verdict } from '../../readings/verdict';

/** Forced colours take the colours away: a worse level then has a heavier frame. */
const LEVEL_LOOK: Record<Level, string> = {
  good: 'bg-good text-good-ink',
  moderate: 'bg-moderate text-moderate-ink forced-colors:outline-4 forced-colors:outline-double',
  poor: 'bg-poor text-poor-ink forced-colors:outline-8 forced-colors:outline-solid',
};

/** What to do about the air, and why. Screen readers announce the headline alone, so they hear a level once. */
export function VerdictPanel({ verdict: { level, headline, detail } }: { verdict: Verdict }) {
  return (
    <section
      aria-label="Verdict"
      data-verdict={level ?? 'unknown'}
      className={`@container col-span-2 flex min-h-32 flex-col justify-center gap-1 rounded-2xl border-2 border-transparent px-4 py-3 -outline-offset-4 md:col-span-1 ${level ? LEVEL_LOOK[level] : 'bg-canvas text-ink'}`}
    >
      <p role="status" className="text-[clamp(1.5rem,9cqi,2rem)] leading-tight font-bold tracking-tight">
        {headline}
      </p>
      <p className="leading-snug text-balance">{detail}</p>
    </section>
  );
}
