import { Link } from '@remix-run/react';
import { NotFramed } from './not-framed';

/** The text in place of a chart without any reading. */
export function NoReadingsYet() {
  return (
    <span>
      No readings yet.
      <NotFramed>
        {' '}
        <Link to="/postdata" className="text-accent underline">
          Post the first one
        </Link>
        .
      </NotFramed>
    </span>
  );
}
