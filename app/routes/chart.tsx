import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { type ShouldRevalidateFunctionArgs, useLoaderData, useOutletContext } from '@remix-run/react';
import { comparedRooms } from '../history/compared-rooms.server';
import { pageQuery } from '../http/page-query.server';
import { readPageInTurn } from '../http/read-gate.server';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings, noReadings } from '../live/server/initial-page.server';
import { GAP_LOOKBACK } from '../readings/chart/gap';
import { DEFAULT_RANGE, findRange, HISTORY_LIMIT } from '../readings/chart/range';
import { isUnknownSensor, mentionedSensor, ofSensor, type ShownSensor, sensorsIn } from '../readings/sensor';
import type { RootData } from '../root';
import { currentNames, getStore } from '../store/open-store.server';
import { Card } from '../ui/card';
import { ChartAge } from '../ui/chart/live-chart';
import { RangeLinks } from '../ui/chart/range-choice';
import { SeveralRooms } from '../ui/compare/several-rooms';
import { SpanPage } from '../ui/history/span-page';
import { loadPatiently } from '../ui/opening/load-patiently';
import { RangeChart, ShownRange } from '../ui/range-chart';
import { ReadingsPage } from '../ui/readings-page';
import { AddRooms } from '../ui/sensors/add-rooms';
import { UnknownSensor } from '../ui/sensors/sensor-strip';
import { useTabTitle } from '../ui/tab-title';
import { useIsWall } from '../ui/wall/wall-address';
import { WallPage } from '../ui/wall/wall-page';

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: chartTitle(data?.initial) }];

function chartTitle(shown?: ShownSensor): string {
  return `Chart${shown ? ofSensor(shown) : ''} – airboard`;
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { sensor: asked, rooms: names, range, ...query } = pageQuery(request, 'span', 'range');
  const rangeName = range?.name ?? null;
  const isOfSpan = query.isOfSpan || names.length > 0;
  const isEmpty = !isOfSpan && rangeName === null;
  const { search } = new URL(request.url);
  const page = await readPageInTurn(request, async (signal) => {
    const store = getStore(signal);
    if (isEmpty) return { ...(await noReadings(store, currentNames(asked))), rooms: null };
    const page = await initialReadings(store, capacityFor(rangeName), currentNames(asked));
    const { sensors, serverTime: now } = page.initial;
    return { ...page, rooms: await comparedRooms(store, names, { sensors, search, now }) };
  });
  return { ...page, rangeName, isOfSpan };
}

export { loadPatiently as clientLoader };

/** Doesn't reload for another span or other metrics, because the loader's data doesn't depend on them. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const [current, next] = [currentUrl, nextUrl].map(({ searchParams: query }) =>
    [...sensorsIn(query), query.get('range')].join('\n'),
  );
  const isSame = current === next;
  const isOfMetrics = currentUrl.searchParams.get('metrics') !== nextUrl.searchParams.get('metrics');
  return isSame && (isOfMetrics || nextUrl.searchParams.has('from')) ? false : defaultShouldRevalidate;
}

/** Returns the number of readings to load. It includes earlier readings, which decide where gaps are. */
function capacityFor(rangeName: string | null): number {
  return rangeName ? (findRange(rangeName) ?? DEFAULT_RANGE).maxPoints + GAP_LOOKBACK : HISTORY_LIMIT;
}

/** The chart alone. Without `?range=` or `?span=` it starts empty and shows only new readings. */
export default function ChartPage() {
  const { rooms, ...data } = useLoaderData<typeof loader>();
  const settings = useOutletContext<RootData>();
  if (rooms) return <SeveralRooms heading="Chart" {...{ rooms, settings }} {...data} />;
  if (data.isOfSpan) return <SpanPage {...data} settings={settings} />;
  // The key starts a new history for each range, because `useReadings` starts one only once.
  return <RangePage key={data.rangeName} {...data} />;
}

function RangePage({
  initial,
  problem,
  rangeName,
}: Omit<ReturnType<typeof useLoaderData<typeof loader>>, 'rooms'>) {
  const { feed } = useOutletContext<RootData>();
  const readings = useReadings(initial, feed, capacityFor(rangeName));
  const sensor = mentionedSensor(readings);
  const isUnknown = isUnknownSensor(readings);
  const range = findRange(rangeName ?? '') ?? DEFAULT_RANGE;
  const isWall = useIsWall();
  // A page without a sensor takes the first one that posts. On a wall, the title shows the air's level instead.
  useTabTitle(isWall ? null : chartTitle(readings));
  if (isWall) return <WallPage {...{ readings, range, problem }} />;

  return (
    <ReadingsPage heading="Chart" {...{ readings, problem }}>
      <Card
        title="Chart"
        sensor={sensor}
        needsScript
        note={<ShownRange range={range} />}
        aside={<RangeLinks current={rangeName} />}
      >
        <ChartAge readings={readings}>
          <RangeChart
            range={range}
            className="h-lone-chart md:in-[[aria-label=Sensors]~*]:h-lone-chart-below-strip"
            whenEmpty={
              isUnknown ? (
                <UnknownSensor sensor={readings.sensor} />
              ) : rangeName ? undefined : (
                'Waiting for the next reading. The links above load earlier readings.'
              )
            }
          />
        </ChartAge>
        <AddRooms sensors={readings.sensors} shown={[readings.sensor]} className="mt-2" />
      </Card>
    </ReadingsPage>
  );
}
