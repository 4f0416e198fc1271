import { Link } from '@remix-run/react';
import { RANGES } from '../../readings/range';

/** Links to the chart of each range. */
export function RangeLinks({ current }: { current: string | null }) {
  return (
    <nav aria-label="History" className="flex flex-wrap gap-1">
      {RANGES.map(({ name }) => (
        <Link
          key={name}
          to={`/chart?range=${name}`}
          aria-current={name === current ? 'page' : undefined}
          className="rounded-md px-3 py-2 text-accent underline underline-offset-4 aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:no-underline"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
