import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  Link,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useOutletContext,
} from '@remix-run/react';
import { pageQuery } from '../http/page-query.server';
import { readPageInTurn } from '../http/read-gate.server';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings } from '../live/server/initial-page.server';
import { HISTORY_LIMIT } from '../readings/chart/range';
import { UNNAMED } from '../readings/reading';
import { isUnknownSensor, mentionedSensor } from '../readings/sensor';
import type { RootData } from '../root';
import { getStore } from '../store/open-store.server';
import { BrowserAlertsButton } from '../ui/alerts/browser-alerts';
import { Card } from '../ui/card';
import { LiveChart, ShownRange } from '../ui/chart/live-chart';
import { RangeButtons, useSelectedRange } from '../ui/chart/range-choice';
import { NotFramed } from '../ui/not-framed';
import { ADD_NOTE } from '../ui/notes/use-notes';
import { NumbersGuideButton } from '../ui/numbers-guide';
import { loadPatiently } from '../ui/opening/load-patiently';
import { RandomDataButton, RandomElsewhere } from '../ui/posting/random-data-button';
import { useWriteAccess, WITH_KEY, WriteKeyNote, WriteKeyRejected } from '../ui/posting/write-key';
import { ReadingsPage } from '../ui/readings-page';
import { sharedSearch, withShownSensor } from '../ui/sensors/sensor-address';
import { UnknownSensor } from '../ui/sensors/sensor-strip';
import { DASHBOARD_TITLE } from '../ui/tab-title';
import { AirNow } from '../ui/tiles/air-now';
import { useIsWall } from '../ui/wall/wall-address';
import { WallPage } from '../ui/wall/wall-page';

/** The title until the page knows the air's level. */
export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const sensor = data && mentionedSensor(data.initial);
  return [{ title: sensor ? `${sensor} – airboard` : DASHBOARD_TITLE }];
};

export function loader({ request }: LoaderFunctionArgs) {
  const { sensor: asked } = pageQuery(request, 'range');
  return readPageInTurn(request, (signal) => initialReadings(getStore(signal), HISTORY_LIMIT, asked));
}

export { loadPatiently as clientLoader };

/** Doesn't reload for another range, because the page loads the whole history anyway. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.searchParams.get('sensor') !== nextUrl.searchParams.get('sensor');
}

export default function Dashboard() {
  const { initial, problem } = useLoaderData<typeof loader>();
  const { feed, isKeyNeeded, offersRandomPosts, rules } = useOutletContext<RootData>();
  const readings = useReadings(initial, feed);
  const { count } = readings;
  const { submit, isKeyRejected, isKeyUnknown } = useWriteAccess(isKeyNeeded, readings.sensor);
  const [range, selectRange] = useSelectedRange(count);
  const sensor = mentionedSensor(readings);
  const isUnknown = isUnknownSensor(readings);
  const { search } = useLocation();
  const isWall = useIsWall();
  if (isWall) return <WallPage {...{ readings, range, problem }} />;

  return (
    <ReadingsPage heading="Air quality now" {...{ readings, problem }}>
      <Card
        title="Readings"
        sensor={sensor}
        aside={
          <div className="-mr-2 ml-auto flex flex-wrap items-center">
            <NumbersGuideButton />
            <NotFramed>
              <BrowserAlertsButton rules={rules} />
              {offersRandomPosts && readings.sensor !== UNNAMED && (
                <div className="px-2">
                  <RandomElsewhere />
                </div>
              )}
              {offersRandomPosts &&
                readings.sensor === UNNAMED &&
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
        {isUnknown ? <UnknownSensor sensor={readings.sensor} /> : <AirNow />}
      </Card>
      {!isUnknown && (
        <Card
          title="Chart"
          sensor={sensor}
          needsScript
          note={<ShownRange range={range} />}
          aside={
            <div className="flex w-full flex-wrap items-start gap-x-2 sm:w-auto">
              <NotFramed>
                <Link
                  to={`/history${withShownSensor(sharedSearch(search), readings)}${ADD_NOTE}`}
                  className="flex min-h-10 items-center rounded-[0.625rem] px-2 text-sm font-medium text-muted hover:text-ink"
                >
                  Add a note
                </Link>
              </NotFramed>
              <RangeButtons selected={range} count={count} onSelect={selectRange} />
            </div>
          }
        >
          <LiveChart range={range} className="h-chart md:in-[[aria-label=Sensors]~*]:h-chart-below-strip" />
        </Card>
      )}
    </ReadingsPage>
  );
}
