import type { Level } from '../../readings/level/level';
import type { Verdict } from './verdict';

/** Forced colours take the colours away: a worse level then has a heavier frame. */
const LEVEL_LOOK: Record<Level, string> = {
  good: 'bg-good text-good-ink',
  moderate: 'bg-moderate text-moderate-ink forced-colors:outline-4 forced-colors:outline-double',
  poor: 'bg-poor text-poor-ink forced-colors:outline-8 forced-colors:outline-solid',
};

/** Has room for the usual verdicts, so that the chart below keeps its place. A sensor's fault takes more. */
const WALL_PANEL =
  'col-span-full min-h-[12vh] tablet:min-h-[17.5vh] landscape:flex-row landscape:items-center landscape:justify-between landscape:gap-x-[3vh]';

/** What to do about the air, and why. Screen readers announce the headline alone, so they hear a level once. */
export function VerdictPanel({ verdict, isWall }: { verdict: Verdict; isWall: boolean }) {
  const { level, headline, detail } = verdict;
  return (
    <section
      aria-label="Verdict"
      data-verdict={level ?? 'unknown'}
      className={`flex flex-col justify-center gap-1 rounded-2xl border-2 border-transparent px-4 -outline-offset-4 ${isWall ? WALL_PANEL : '@container col-span-2 min-h-32 py-3 md:col-span-1'} ${level ? LEVEL_LOOK[level] : 'bg-canvas text-ink'}`}
    >
      <p
        role="status"
        className={`leading-tight font-bold tracking-tight ${isWall ? 'shrink-0 text-[min(6vh,7vw)]' : 'text-[clamp(1.5rem,9cqi,2rem)]'}`}
      >
        {headline}
      </p>
      <p className={`leading-snug text-balance ${isWall ? 'text-[min(3.2vh,4vw)]' : ''}`}>{detail}</p>
    </section>
  );
}
