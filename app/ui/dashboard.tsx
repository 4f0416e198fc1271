import { Link, useLocation } from '@remix-run/react';
import { memo } from 'react';
import type { FeedSettings } from '../live/browser/live-feed';
import { type LiveReadings, useReadings } from '../live/browser/use-readings';
import type { InitialReadings } from '../live/initial-readings';
import { UNNAMED } from '../readings/reading';
import { isUnknownSensor, mentionedSensor } from '../readings/sensor';
import { BrowserAlertsButton } from './alerts/browser-alerts';
import type { BrowserAlertRules } from './alerts/browser-alerts-panel';
import { Card } from './card';
import { RangeButtons, useSelectedRange } from './chart/range-choice';
import { NotFramed } from './not-framed';
import { ADD_NOTE } from './notes/use-notes';
import { NumbersGuideButton } from './numbers-guide';
import { RandomDataButton, RandomElsewhere } from './posting/random-data-button';
import { useWriteAccess, WITH_KEY, WriteKeyNote, WriteKeyRejected } from './posting/write-key';
import { RangeChart, ShownRange, useTimedInterval } from './range-chart';
import { ReadingsPage } from './readings-page';
import { sharedSearch, withSensor } from './sensors/sensor-address';
import { UnknownSensor } from './sensors/sensor-strip';
import { AirNow } from './tiles/air-now';
import { useIsWall } from './wall/wall-address';
import { WallPage } from './wall/wall-page';

interface DashboardProps {
  initial: InitialReadings;
  problem: string | null;
  settings: {
    feed: FeedSettings;
    isKeyNeeded: boolean;
    offersRandomPosts: boolean;
    rules: BrowserAlertRules;
  };
}

/** The air now and a chart of the last readings, as a page or on a wall. */
export function Dashboard(props: DashboardProps) {
  const isWall = useIsWall();
  return <LiveDashboard {...props} isWall={isWall} />;
}

/** Follows the readings, which its cards don't: inside them, the tiles and the chart take readings from the context. */
function LiveDashboard({ initial, problem, settings, isWall }: DashboardProps & { isWall: boolean }) {
  const readings = useReadings(initial, settings.feed);
  const isTimed = useTimedInterval(readings) !== null;
  if (isWall) return <WallDashboard {...{ readings, isTimed, problem }} />;
  const { sensor, sensors, count } = readings;
  const named = mentionedSensor(readings);
  const isUnknown = isUnknownSensor(readings);
  return (
    <ReadingsPage heading="Air quality now" {...{ readings, problem }}>
      <ReadingsCard {...{ sensor, named, isUnknown, settings }} />
      {!isUnknown && <ChartCard {...{ sensor, named, count, isTimed }} isOneOfSeveral={sensors.length > 1} />}
    </ReadingsPage>
  );
}

interface WallDashboardProps extends Pick<DashboardProps, 'problem'>, Pick<ChartCardProps, 'isTimed'> {
  readings: LiveReadings;
}

function WallDashboard({ readings, isTimed, problem }: WallDashboardProps) {
  const [range] = useSelectedRange(isTimed ? null : readings.count);
  return <WallPage {...{ readings, range, problem }} />;
}

interface DashboardCardProps {
  sensor: string;
  /** The sensor's name in the card's title; null without one. */
  named: string | null;
}

interface ReadingsCardProps extends DashboardCardProps, Pick<DashboardProps, 'settings'> {
  isUnknown: boolean;
}

const ReadingsCard = memo(function ReadingsCard({ sensor, named, isUnknown, settings }: ReadingsCardProps) {
  const { isKeyNeeded, offersRandomPosts, rules } = settings;
  const { submit, isKeyRejected, isKeyUnknown } = useWriteAccess(isKeyNeeded, sensor);
  return (
    <Card
      title="Readings"
      sensor={named}
      aside={
        <div className="-mr-2 ml-auto flex flex-wrap items-center">
          <NumbersGuideButton />
          <NotFramed>
            <BrowserAlertsButton rules={rules} />
            {offersRandomPosts && sensor !== UNNAMED && (
              <div className="px-2">
                <RandomElsewhere />
              </div>
            )}
            {offersRandomPosts &&
              sensor === UNNAMED &&
              (submit ? (
                <RandomDataButton submit={submit} className={isKeyUnknown ? WITH_KEY : ''} />
              ) : (
                isKeyRejected && <WriteKeyRejected />
              ))}
          </NotFramed>
          {isKeyUnknown && <WriteKeyNote />}
        </div>
      }
    >
      {isUnknown ? <UnknownSensor sensor={sensor} /> : <AirNow />}
    </Card>
  );
});

interface ChartCardProps extends DashboardCardProps {
  /** The number of stored readings, which decides about the ranges. Constant once all ranges are full. */
  count: number;
  /** True if the ranges are times, which need no count of readings. */
  isTimed: boolean;
  isOneOfSeveral: boolean;
}

const ChartCard = memo(function ChartCard(props: ChartCardProps) {
  const { sensor, named, isTimed, isOneOfSeveral } = props;
  const count = isTimed ? null : props.count;
  const [range, selectRange] = useSelectedRange(count);
  const search = sharedSearch(useLocation().search);
  return (
    <Card
      title="Chart"
      sensor={named}
      needsScript
      note={<ShownRange range={range} />}
      aside={
        <div className="flex w-full flex-wrap items-start gap-x-2 sm:w-auto">
          <NotFramed>
            <Link
              to={`/history${isOneOfSeveral ? withSensor(search, sensor) : search}${ADD_NOTE}`}
              className="flex min-h-10 items-center rounded-[0.625rem] px-2 text-sm font-medium text-muted hover:text-ink"
            >
              Add a note
            </Link>
          </NotFramed>
          <RangeButtons selected={range} count={count} onSelect={selectRange} />
        </div>
      }
    >
      <RangeChart range={range} className="h-chart md:in-[[aria-label=Sensors]~*]:h-chart-below-strip" />
    </Card>
  );
});
