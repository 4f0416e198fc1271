import { Link } from '@remix-run/react';

/** Stands where a chart will be: empty axes would say nothing. */
export function NoReadings() {
  return (
    <p className="grid h-40 place-content-center text-center text-muted">
      <span>
        No readings yet.{' '}
        <Link to="/postdata" className="text-accent underline">
          Post the first one
        </Link>
        .
      </span>
    </p>
  );
}
