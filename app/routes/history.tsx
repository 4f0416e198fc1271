import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, type ShouldRevalidateFunctionArgs, useLoaderData, useOutletContext } from '@remix-run/react';
import { useState } from 'react';
import { comparedRooms } from '../history/compared-rooms.server';
import { pageNumbers } from '../history/page-numbers.server';
import { pageQuery } from '../http/page-query.server';
import { readPageInTurn } from '../http/read-gate.server';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings } from '../live/server/initial-page.server';
import type { HistoryAnswer } from '../readings/history/history-answer';
import { isUnknownSensor, mentionedSensor, ofSensor, type ShownSensor, sensorsIn } from '../readings/sensor';
import type { RootData } from '../root';
import { currentNames, getStore, settingsFor } from '../store/open-store.server';
import { SeveralRooms } from '../ui/compare/several-rooms';
import { NewestWithoutScript } from '../ui/history/newest-without-script';
import { RoomCards } from '../ui/history/room/room-cards';
import { SpanAnnouncement } from '../ui/history/span/span-announcement';
import { csvAddress, SpanBar } from '../ui/history/span/span-bar';
import { spanTitle } from '../ui/history/span/span-title';
import { useTurning } from '../ui/history/span/use-turning';
import { SpanAnswers } from '../ui/history/span-answers';
import { SpanChart } from '../ui/history/span-chart';
import { useArrivals, useSpanHistory } from '../ui/history/use-history';
import { LocalTime } from '../ui/local-time';
import { NotFramed } from '../ui/not-framed';
import { NotesCard } from '../ui/notes/notes-card';
import { useNotes } from '../ui/notes/use-notes';
import { loadPatiently } from '../ui/opening/load-patiently';
import { useThresholdsOf } from '../ui/page-contexts';
import { ReadingsPage } from '../ui/readings-page';
import { useAirings } from '../ui/room/use-room-answers';
import { AddRooms, AddRoomsWithoutScript } from '../ui/sensors/add-rooms';
import { withSensor } from '../ui/sensors/sensor-address';
import { UnknownSensor } from '../ui/sensors/sensor-strip';
import { useTabTitle } from '../ui/tab-title';

/** The number of newest readings that the page keeps, to judge the sensor's freshness. */
const NEWEST = 10;

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: historyTitle(data?.initial) }];

/** @param span the span in words, once it is known */
function historyTitle(sensor?: ShownSensor, span?: string): string {
  return `History${sensor ? ofSensor(sensor) : ''}${span ? `, ${span}` : ''} – airboard`;
}

export function loader({ request }: LoaderFunctionArgs) {
  const { sensor: asked, rooms: names } = pageQuery(request, 'span');
  return readPageInTurn(request, async (signal) => {
    const store = getStore(signal);
    const page = await initialReadings(store, NEWEST, currentNames(asked));
    const { initial } = page;
    const { search } = new URL(request.url);
    const numbers = await pageNumbers(
      store,
      initial,
      search,
      settingsFor(initial.sensor).thresholds,
      initial.serverTime,
    );
    const { sensors, serverTime: now } = initial;
    return { ...page, numbers, rooms: await comparedRooms(store, names, { sensors, search, now }) };
  });
}

export { loadPatiently as clientLoader };

/** Doesn't reload for another span, because the page fetches its history itself. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  const [current, next] = [currentUrl, nextUrl].map(({ searchParams }) => sensorsIn(searchParams).join('\n'));
  return current !== next;
}

/** Says from when on raw readings are kept. */
function KeptSlots({ from }: { from: string | undefined }) {
  if (from === undefined) return null;
  return (
    <p className="mt-2 text-sm text-muted">
      Before <LocalTime time={from} />, averages of five minutes are kept instead of readings.
    </p>
  );
}

/** Any span of the history of a sensor, or of several rooms. */
export default function History() {
  const { rooms, ...page } = useLoaderData<typeof loader>();
  const settings = useOutletContext<RootData>();
  if (rooms) return <SeveralRooms heading="History" {...{ rooms, settings }} {...page} />;
  return <SensorHistory {...page} settings={settings} />;
}

type SensorHistoryProps = Omit<ReturnType<typeof useLoaderData<typeof loader>>, 'rooms'> & {
  settings: RootData;
};

/** Any span of a sensor's history: the chart, the numbers, and the worst times. */
function SensorHistory({ initial, problem, numbers, settings }: SensorHistoryProps) {
  const { feed, isKeyNeeded } = settings;
  const arrivals = useArrivals();
  const readings = useReadings(initial, feed, NEWEST, arrivals.publish);
  const { shown, context, history, connection, ...comparison } = useSpanHistory(readings, arrivals);
  const { sensor } = readings;
  const thresholds = useThresholdsOf(readings);
  const notes = useNotes(sensor, shown.resolved?.from ?? null, shown.resolved?.to);
  const [chosen, choose] = useState<number | null>(null);
  const airings = useAirings(readings, shown.resolved);
  const swiping = useTurning((direction) => {
    const next = shown[direction];
    if (next) shown.go(next);
  });
  const title =
    context && shown.span ? spanTitle(shown.inView, shown.span, new Date(context.now)) : undefined;
  useTabTitle(historyTitle(readings, title));
  const isEmpty = context?.first === null;
  const announced = title && [mentionedSensor(readings), title].filter(Boolean).join(', ');

  return (
    // `pan-y` keeps browsers from going back on a swipe.
    <ReadingsPage
      heading="History"
      {...{ readings, connection, problem }}
      className="[touch-action:pan-y_pinch-zoom]"
      {...swiping}
    >
      <SpanAnnouncement text={announced} isMoving={shown.isMoving} />
      {isUnknownSensor(readings) ? (
        <p className="py-8 text-center text-muted">
          <UnknownSensor sensor={readings.sensor} />
        </p>
      ) : (
        <>
          <section
            id="chart"
            aria-label="Chart"
            className="min-w-0 rounded-2xl border border-line bg-surface p-3.5 noscript:hidden sm:px-5 sm:py-4"
          >
            <SpanBar {...{ shown, context, comparison }} csv={(span) => csvAddress(sensor, span)} />
            <AddRooms sensors={readings.sensors} shown={[sensor]} className="mb-2" />
            <SpanChart
              {...{ shown, context, history, thresholds, readings, airings }}
              notes={notes.notes}
              onChoose={choose}
              className="h-chart"
            />
            <KeptSlots from={history?.answer?.raw_from} />
          </section>
          {context && shown.resolved && !isEmpty && (
            <NotesCard
              key={sensor}
              {...{ sensor, isKeyNeeded, chosen }}
              {...notes}
              span={shown.resolved}
              now={context.now}
              aside={
                chosen !== null &&
                history?.answer && <DeletePoint sensor={sensor} time={chosen} answer={history.answer} />
              }
            />
          )}
          <NewestWithoutScript {...{ readings, numbers, thresholds }} />
          <AddRoomsWithoutScript sensors={readings.sensors} shown={[sensor]} />
          {!isEmpty && (
            <div className="contents noscript:hidden">
              <SpanAnswers {...{ readings, context, thresholds, arrivals }} span={shown.resolved} />
              <RoomCards {...{ readings, airings, thresholds, isKeyNeeded }} span={shown.resolved} />
              <NotFramed>
                <Link to={`/sensors${withSensor('', sensor)}`} className="text-sm text-accent underline">
                  Settings of this sensor
                </Link>
              </NotFramed>
            </div>
          )}
        </>
      )}
    </ReadingsPage>
  );
}

/** A link that leads to the deletion of a chosen point's readings. */
function DeletePoint({ sensor, time, answer }: { sensor: string; time: number; answer: HistoryAnswer }) {
  const stepMs = answer.step_seconds * 1000;
  const step = answer.steps.findLast(({ start }) => Date.parse(start) <= time);
  if (!step) return null;
  const from = Date.parse(step.start);
  const query = new URLSearchParams({ sensor, from: step.start, to: new Date(from + stepMs).toISOString() });
  return (
    <Link
      to={`/sensors?${query}#delete`}
      className="flex min-h-10 items-center px-2 text-sm font-medium text-muted hover:text-ink"
    >
      Delete {step.readings === 1 ? 'this reading' : `these ${step.readings} readings`}
    </Link>
  );
}
