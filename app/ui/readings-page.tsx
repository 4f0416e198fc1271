import type { HTMLAttributes } from 'react';
import type { LiveReadings } from '../live/browser/use-readings';
import { mentionedSensor } from '../readings/sensor';
import { ConnectionNotice } from './connection-notice';
import { ReadingsContext } from './page-contexts';
import { SensorStrip } from './sensors/sensor-strip';
import { WithoutScript } from './without-script';

interface ReadingsPageProps extends HTMLAttributes<HTMLDivElement> {
  /** The page's heading, for screen readers. The sensor's name is added if the page mentions one. */
  heading: string;
  readings: LiveReadings;
  /** The state of all that the page loads, if that is more than the readings. */
  connection?: LiveReadings['connection'];
  /** Why the server rendered the page without readings, or null. */
  problem: string | null;
}

/** A page of a sensor's readings: its heading, the other sensors, and the notice while readings don't arrive. */
export function ReadingsPage({
  heading,
  readings,
  connection = readings.connection,
  problem,
  className = '',
  children,
  ...rest
}: ReadingsPageProps) {
  const sensor = mentionedSensor(readings);
  return (
    <ReadingsContext.Provider value={readings}>
      <div className={`grid gap-4 ${className}`} {...rest}>
        <h1 className="sr-only">
          {heading}
          {sensor && ` – ${sensor}`}
        </h1>
        {/* Over the page, so that it moves nothing. The end of the page has room for it. */}
        <div className="pointer-events-none fixed inset-x-0 bottom-0 z-10 mx-auto max-w-page px-3 pb-1 sm:px-5">
          <ConnectionNotice connection={connection} problem={problem} />
        </div>
        <SensorStrip />
        <WithoutScript last={readings.last} />
        {children}
      </div>
    </ReadingsContext.Provider>
  );
}
