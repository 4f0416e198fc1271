import { useLocation } from '@remix-run/react';
import { type HTMLAttributes, useEffect } from 'react';
import type { Connection } from '../live/browser/page-state';
import type { LiveReadings } from '../live/browser/use-readings';
import { STORED_AT } from '../offline/stored-page';
import type { Reading } from '../readings/reading';
import { mentionedSensor, type ShownSensor } from '../readings/sensor';
import { formatWholeMinutes } from '../readings/time/durations';
import { useHydrated, useNow } from './hydration';
import { formatUtcTime, LocalTime } from './local-time';
import { ReadingsContext, useMetrics } from './page-contexts';
import { formatReading } from './readings-table';
import { CorrectionLine } from './sensors/correction-line';
import { keepSensor } from './sensors/sensor-address';
import { SensorStrip } from './sensors/sensor-strip';

interface ReadingsPageProps extends HTMLAttributes<HTMLDivElement> {
  /** The page's heading, for screen readers. The sensor's name is added if the page mentions it. */
  heading: string;
  readings: LiveReadings;
  /** The names of several rooms, which the page shows instead of one sensor. */
  rooms?: string;
  connection?: LiveReadings['connection'];
  problem: string | null;
}

/** A page with a sensor's readings: a heading, the sensor strip, and a notice while no readings arrive. */
export function ReadingsPage({
  heading,
  readings,
  rooms,
  connection = readings.connection,
  problem,
  className = '',
  children,
  ...rest
}: ReadingsPageProps) {
  const sensor = rooms ?? mentionedSensor(readings);
  useNamedSensor(readings);
  return (
    <ReadingsContext.Provider value={readings}>
      <div className={`grid gap-4 ${className}`} {...rest}>
        <h1 className="sr-only print:not-sr-only print:text-2xl print:font-bold">
          {heading}
          {sensor && ` – ${sensor}`}
        </h1>
        {/* Fixed over the page, so that the content doesn't move. The page has bottom padding for it. */}
        <div className="pointer-events-none fixed inset-x-0 bottom-0 z-10 mx-auto max-w-page px-3 pb-1 sm:px-5">
          <ConnectionNotice connection={connection} problem={problem} />
        </div>
        {!rooms && <SensorStrip />}
        {!rooms && <CorrectionLine {...readings} />}
        <WithoutScript last={readings.last} />
        {children}
      </div>
    </ReadingsContext.Provider>
  );
}

/**
 * Keeps the shown sensor in the page's address if there are several. Otherwise someone who opens the same address would
 * see another sensor.
 */
export function useNamedSensor({ sensor, sensors }: ShownSensor): void {
  const { search } = useLocation();
  const isOneOfSeveral = sensors.length > 1 && sensors.some(({ name }) => name === sensor);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation may have removed it.
  useEffect(() => {
    if (isOneOfSeveral) keepSensor(sensor);
  }, [sensor, isOneOfSeveral, search]);
}

/** Shows the reason why no live readings arrive. `problem` is the reason why the server rendered no readings. */
export function ConnectionNotice({
  connection,
  problem,
}: {
  connection: Connection;
  problem: string | null;
}) {
  const storedAt = useHydrated() ? STORED_AT : null;
  const reason = reasonOf(connection, problem);
  if (!storedAt && !reason) return null;
  return (
    <p
      role={storedAt ? undefined : 'alert'}
      className="min-h-7 w-full content-center rounded-lg border-l-4 border-poor-ink bg-poor px-2 text-xs/4 text-poor-ink sm:px-3 sm:text-sm/5"
    >
      {storedAt ? <StoredPageNotice storedAt={storedAt} /> : reason}
    </p>
  );
}

/** Shows the age of a page that was opened offline. Screen readers don't announce each change of the age. */
function StoredPageNotice({ storedAt }: { storedAt: number }) {
  const now = useNow();
  return (
    <>
      <span role="alert">
        Not connected. This is the page from <LocalTime time={new Date(storedAt).toISOString()} />
      </span>
      {now !== null && `, ${formatWholeMinutes(now - storedAt)} ago`}. Reconnecting…
    </>
  );
}

function reasonOf(connection: Connection, problem: string | null): string | null {
  if (connection.state !== 'disconnected') {
    const reason = connection.state === 'live' ? connection.reason : problem;
    return reason ? `${reason} Trying again…` : null;
  }
  return `${connection.reason ?? 'The connection was lost.'} Reconnecting…`;
}

/** The newest reading and a note, for browsers without JavaScript. */
export function WithoutScript({ last }: { last: Reading | null }) {
  // In the browser, React ignores the children of `noscript`, so the scripts don't contain them.
  return <noscript>{import.meta.env.SSR && <NewestReading reading={last} />}</noscript>;
}

function NewestReading({ reading }: { reading: Reading | null }) {
  const metrics = useMetrics();
  return (
    <p className="rounded-2xl border border-line bg-surface p-4">
      {reading && (
        <>
          Newest reading
          {reading.sensor && (
            <>
              {' of '}
              <bdi>{reading.sensor}</bdi>
            </>
          )}
          : <strong>{formatReading(reading, metrics)}</strong>
          {` at ${formatUtcTime(reading.created_at)}. `}
        </>
      )}
      Live updates, the chart and posting need JavaScript.
    </p>
  );
}
