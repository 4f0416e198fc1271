import { Link } from '@remix-run/react';
import { RANGES } from '../../readings/range';
import { SEGMENTS_LOOK, segmentLook } from './segment-look';

/** Links to the chart of each range. They look like the dashboard's range buttons. */
export function RangeLinks({ current }: { current: string | null }) {
  return (
    <nav aria-label="History" className={SEGMENTS_LOOK}>
      {RANGES.map(({ name }) => (
        <Link
          key={name}
          to={`/chart?range=${name}`}
          aria-current={name === current ? 'page' : undefined}
          className={segmentLook(name === current)}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
