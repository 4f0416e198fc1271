import { Link, useLocation } from '@remix-run/react';
import { RANGES } from '../../readings/chart/range';
import { SEGMENTS_LOOK, segmentLook } from './draw/segment-look';
import { withRange } from './range-address';

/** Links to the chart of each range. They look like the dashboard's range buttons. */
export function RangeLinks({ current }: { current: string | null }) {
  const { search } = useLocation();
  return (
    <nav aria-label="History" className={SEGMENTS_LOOK}>
      {RANGES.map(({ name }) => (
        <Link
          key={name}
          to={{ pathname: '/chart', search: withRange(search, name) }}
          aria-current={name === current ? 'page' : undefined}
          className={segmentLook(name === current)}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
