import { Link } from '@remix-run/react';
import { atBase } from '../base-path';
import { useHydrated } from './hydration';
import { NotFramed } from './not-framed';

/** The text in place of a chart without any reading, with the line that posts the first one to this server. */
export function NoReadingsYet() {
  return (
    <>
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
      <NotFramed>
        <FirstPost />
      </NotFramed>
    </>
  );
}

function FirstPost() {
  // The server doesn't know the address by which the viewer reaches it.
  const address = useHydrated() ? location.origin : '';
  return (
    <span className="mt-2 block text-sm">
      Or from a terminal:{' '}
      <code className="block py-1 text-ink wrap-anywhere">
        curl {address + atBase('/api/data')} -d '{'{"sensor":"Bedroom","co2":640}'}'
      </code>
      Recipes for ESPHome, Arduino, Home Assistant and others are in airboard's folder{' '}
      <code>docs/devices</code>, and{' '}
      <a href={atBase('/api/docs')} className="text-accent underline">
        the API
      </a>{' '}
      has every format.
    </span>
  );
}
