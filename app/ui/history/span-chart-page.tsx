import { Link } from '@remix-run/react';
import type { FeedSettings } from '../../live/browser/live-feed';
import { useReadings } from '../../live/browser/use-readings';
import type { InitialReadings } from '../../live/initial-readings';
import { DEFAULT_RANGE } from '../../readings/chart/range';
import { isUnknownSensor, mentionedSensor, ofSensor } from '../../readings/sensor';
import { Card } from '../card';
import { useNotes } from '../notes/use-notes';
import { useThresholdsOf } from '../page-contexts';
import { ReadingsPage } from '../readings-page';
import { useAirings } from '../room/use-room-answers';
import { AddRooms } from '../sensors/add-rooms';
import { UnknownSensor } from '../sensors/sensor-strip';
import { useTabTitle } from '../tab-title';
import { useIsWall } from '../wall/wall-address';
import { WallPage } from '../wall/wall-page';
import { spanTitle } from './span/span-title';
import { SpanChart } from './span-chart';
import { useArrivals, useSpanHistory } from './use-history';

export interface SpanPageProps {
  initial: InitialReadings;
  problem: string | null;
  settings: { feed: FeedSettings };
}

/** A page with only the chart of a span: below the sensors, or on a wall with the current air. */
export function SpanChartPage({ initial, problem, settings }: SpanPageProps) {
  const { feed } = settings;
  const arrivals = useArrivals();
  const readings = useReadings(initial, feed, DEFAULT_RANGE.maxPoints, arrivals.publish);
  const { shown, context, history, connection } = useSpanHistory(readings, arrivals);
  const { notes } = useNotes(readings.sensor, shown.resolved?.from ?? null, shown.resolved?.to);
  const airings = useAirings(readings, shown.resolved);
  const thresholds = useThresholdsOf(readings);
  const sensor = mentionedSensor(readings);
  const title = context && shown.span ? spanTitle(shown.inView, shown.span, new Date(context.now)) : '';
  const isWall = useIsWall();
  useTabTitle(isWall ? null : `Chart${ofSensor(readings)}, ${title} – airboard`);
  // Replaces the address, because the chart may be in a frame, which shares the browser history of its page.
  const rest: typeof shown.rest = (span) => shown.rest(span, true);
  const chart = (className: string, scale?: number) => (
    <SpanChart
      {...{ context, history, thresholds, notes, airings, className, scale }}
      shown={{ ...shown, rest }}
      readings={readings}
    />
  );
  if (isWall)
    return <WallPage {...{ readings, problem }} chart={(scale) => chart('h-full min-h-0 flex-1', scale)} />;
  return (
    <ReadingsPage heading="Chart" {...{ readings, connection, problem }}>
      <Card
        title="Chart"
        sensor={sensor}
        note={<p className="min-h-5 text-sm text-muted">{title}</p>}
        aside={
          <Link to={{ pathname: '/history', search: shown.search }} className="text-sm text-accent underline">
            More of this time
          </Link>
        }
      >
        {isUnknownSensor(readings) ? (
          <p className="grid h-40 place-content-center text-center text-muted">
            <UnknownSensor sensor={readings.sensor} />
          </p>
        ) : (
          chart('h-lone-chart md:in-[[aria-label=Sensors]~*]:h-lone-chart-below-strip')
        )}
        <AddRooms sensors={readings.sensors} shown={[readings.sensor]} className="mt-2" />
      </Card>
    </ReadingsPage>
  );
}
