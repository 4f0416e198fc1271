import { Link, useLoaderData } from '@remix-run/react';
import { useMemo, useState } from 'react';
import { AirNow } from '../components/air-now';
import { Card } from '../components/card';
import { ConnectionNotice } from '../components/connection-notice';
import { NoReadings } from '../components/no-readings';
import { Notice } from '../components/notice';
import { PostRandomData } from '../components/post-random-data';
import { RangeButtons } from '../components/range-buttons';
import { ReadingsChart } from '../components/readings-chart';
import { usePostReading } from '../http/use-post-reading';
import { useFeedSettings } from '../live/use-feed-settings';
import { useReadings } from '../live/use-readings';
import { chartSeries } from '../readings/chart-series';
import { DEFAULT_RANGE, HISTORY_LIMIT, type Range } from '../readings/ranges';
import { initialReadings } from '../store/initial-readings.server';
import { getStore } from '../store/store.server';

export function loader() {
  return initialReadings(getStore(), HISTORY_LIMIT);
}

/** The main dashboard. */
export default function Dashboard() {
  const { initial, problem } = useLoaderData<typeof loader>();
  const { history, isKnown, count, current, previous, loading, connection, clock } = useReadings(
    initial,
    useFeedSettings(),
  );
  const { post, isKeyRefused } = usePostReading();
  const [range, setRange] = useState<Range>(DEFAULT_RANGE);
  const points = useMemo(() => chartSeries(history, range, count), [history, range, count]);

  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Air quality now</h1>
      <ConnectionNotice connection={connection} problem={problem} />
      <Card title="Readings" aside={post ? <PostRandomData post={post} /> : isKeyRefused && <KeyRefused />}>
        <AirNow
          history={history}
          isKnown={isKnown}
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
          <NoReadings isKnown={isKnown} />
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
