import { Link, useLoaderData } from '@remix-run/react';
import { useMemo, useState } from 'react';
import { useFeedSettings } from '../live/browser/use-feed-settings';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings } from '../live/server/initial-readings.server';
import { chartSeries } from '../readings/chart-series';
import { DEFAULT_RANGE, HISTORY_LIMIT, type Range } from '../readings/range';
import { getStore } from '../store/open-store.server';
import { Card } from '../ui/card';
import { RangeButtons } from '../ui/chart/range-buttons';
import { ReadingsChart } from '../ui/chart/readings-chart';
import { ConnectionNotice } from '../ui/connection-notice';
import { NoReadings } from '../ui/no-readings';
import { Notice } from '../ui/notice';
import { RandomDataButton } from '../ui/posting/random-data-button';
import { useWriteAccess } from '../ui/posting/use-write-access';
import { AirNow } from '../ui/tiles/air-now';

export function loader() {
  return initialReadings(getStore(), HISTORY_LIMIT);
}

/** The main dashboard. */
export default function Dashboard() {
  const { initial, problem } = useLoaderData<typeof loader>();
  const { history, hasLoaded, count, current, previous, loading, connection, clock } = useReadings(
    initial,
    useFeedSettings(),
  );
  const { post, isKeyRefused } = useWriteAccess();
  const [range, setRange] = useState<Range>(DEFAULT_RANGE);
  const points = useMemo(() => chartSeries(history, range, count), [history, range, count]);

  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Air quality now</h1>
      <ConnectionNotice connection={connection} problem={problem} />
      <Card title="Readings" aside={post ? <RandomDataButton post={post} /> : isKeyRefused && <KeyRefused />}>
        <AirNow
          history={history}
          hasLoaded={hasLoaded}
          current={current}
          previous={previous}
          loading={loading}
          connection={connection}
          clock={clock}
        />
      </Card>
      <Card title="Chart" aside={<RangeButtons selected={range} count={count} onSelect={setRange} />}>
        {points.length > 0 ? (
          <ReadingsChart key={range.name} points={points} className="h-[clamp(18rem,45vh,30rem)]" />
        ) : (
          <NoReadings hasLoaded={hasLoaded} />
        )}
      </Card>
    </div>
  );
}

/** Why the button that was here has gone. */
function KeyRefused() {
  return (
    <Notice>
      The server refused the write key. Nothing was stored. <Link to="/postdata">Give it again</Link>
    </Notice>
  );
}
