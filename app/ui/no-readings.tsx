import { Link } from '@remix-run/react';

/**
 * Stands where a chart will be: empty axes would say nothing.
 *
 * @param isKnown false while nobody could be asked: the page does not claim that there are none
 */
export function NoReadings({ hasLoaded }: { hasLoaded: boolean }) {
  if (!hasLoaded)
    return <p className="grid h-40 place-content-center text-muted">The readings can’t be read yet.</p>;
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
