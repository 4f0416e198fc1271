import { Link } from '@remix-run/react';
import { useMemo } from 'react';
import type { FeedSettings } from '../../live/browser/live-feed';
import { useReadings } from '../../live/browser/use-readings';
import type { InitialReadings } from '../../live/initial-readings';
import { DEFAULT_RANGE } from '../../readings/chart/range';
import {
  type ComparedRoom,
  comparedMetric,
  measuredBy,
  sharedThresholds,
} from '../../readings/history/compared-room';
import type { SensorSummary } from '../../readings/reading';
import { sensorLabel } from '../../readings/sensor';
import { isSameSpan, unitAround } from '../../readings/time/history-span';
import { RoomsChart } from '../chart/rooms-chart';
import type { ShownHistory } from '../history/load-history';
import { SpanAnnouncement } from '../history/span/span-announcement';
import { SpanBar } from '../history/span/span-bar';
import { spanTitle } from '../history/span/span-title';
import { useSpan } from '../history/span/use-span';
import { useTurning } from '../history/span/use-turning';
import { useArrivals, useServerNow } from '../history/use-history';
import { useMetrics, useServerThresholds } from '../page-contexts';
import { ReadingsPage } from '../readings-page';
import { numbersAddress } from '../rooms/rooms-table';
import { useTabTitle } from '../tab-title';
import { LoadedWall } from '../wall/loaded-wall';
import { useIsWall } from '../wall/wall-address';
import { RoomChips } from './room-chips';
import { SpanNumbers } from './span-numbers';
import { useRoomHistories } from './use-room-histories';

export interface ComparePageProps {
  heading: 'History' | 'Chart';
  initial: InitialReadings;
  problem: string | null;
  /** At least two. */
  rooms: readonly ComparedRoom[];
  settings: { feed: FeedSettings };
}

/** Several rooms in one chart of one metric, over the span in the address. On `/history`, their numbers follow. */
export function ComparePage({ heading, initial, problem, rooms: asked, settings }: ComparePageProps) {
  const arrivals = useArrivals();
  const readings = useReadings(initial, settings.feed, DEFAULT_RANGE.maxPoints, arrivals.publish);
  const rooms = useLiveRooms(asked, readings.sensors);
  const sensors = useMemo(() => asked.map(({ sensor }) => sensor), [asked]);
  const now = useServerNow(readings.clock);
  const known = rooms.flatMap(({ summary }) => summary ?? []);
  const times = timesOfAll(known);
  const context = now === null ? null : { now, ...times };
  const shown = useSpan(context, { sensor: sensors[0] ?? '', sensors: [] });
  const { span: wanted, inView, isMoving } = shown;
  const histories = useRoomHistories(sensors, { span: wanted, isMoving }, arrivals);
  const { metric, drawn, measured } = useComparedMetric(shown.search, rooms, histories);
  const serverThresholds = useServerThresholds();
  const { thresholds, areMixed } = sharedThresholds(rooms, metric, serverThresholds);
  const lines = useLines(rooms, histories);
  const isWall = useIsWall();
  const names = listNames(sensors);
  const title = context && wanted ? spanTitle(inView, wanted, new Date(context.now)) : undefined;
  useTabTitle(isWall ? null : `${heading} of ${names}${title ? `, ${title}` : ''} – airboard`);
  const swiping = useTurning((direction) => {
    const next = shown[direction];
    if (next) shown.go(next);
  });
  const all = [...histories.values()];
  const failure = all.find(({ problem }) => problem)?.problem ?? null;
  const connection =
    failure && readings.connection.state === 'live'
      ? { state: 'live' as const, reason: failure }
      : readings.connection;
  // The view stays until each room has something to show of the next one.
  const held = all.find(({ span }) => wanted && !isSameSpan(span, wanted))?.span;
  const view = isMoving ? wanted : (held ?? wanted);
  const isBusy = all.length < sensors.length || all.some(({ isLoaded }) => !isLoaded) || view !== wanted;
  const { earliest, latest } = daysOf(context, shown.resolved);
  const limits = useMemo(() => ({ from: earliest, to: latest }), [earliest, latest]);
  const chips = <RoomChips {...{ rooms, metric, measured }} sensors={readings.sensors} isPlain={isWall} />;
  const chart = (className: string, scale?: number) => (
    <div aria-busy={isBusy} className={scale ? 'relative h-full' : 'relative'}>
      {view && context && all.some(({ answer }) => answer) ? (
        <RoomsChart
          rooms={lines}
          metric={drawn}
          {...{ view, thresholds, limits, isMoving, className, scale }}
          now={context.now}
          onMove={shown.move}
          onRest={(next) => shown.rest(next, heading === 'Chart')}
          legend={scale && chips}
        />
      ) : (
        <p className={`grid place-content-center text-center text-muted ${className}`}>
          {failure ? "Can't load readings yet." : 'Loading readings…'}
        </p>
      )}
    </div>
  );
  if (isWall)
    return (
      <LoadedWall chart={(scale) => chart('h-full min-h-0 flex-1', scale)}>
        <h1 className="truncate text-xl font-semibold">{names}</h1>
      </LoadedWall>
    );
  const isHistory = heading === 'History';
  return (
    <ReadingsPage
      {...{ heading, readings, connection, problem }}
      rooms={names}
      className="[touch-action:pan-y_pinch-zoom]"
      {...swiping}
    >
      {isHistory && <SpanAnnouncement text={title && `${names}, ${title}`} isMoving={isMoving} />}
      <section
        id="chart"
        aria-label="Chart"
        className="min-w-0 rounded-2xl border border-line bg-surface p-3.5 sm:px-5 sm:py-4"
      >
        {isHistory ? (
          <SpanBar
            {...{ shown, context }}
            csv={(span) => `${numbersAddress(span, { metric: metric.field, sensors })}&format=csv`}
          />
        ) : (
          <div className="mb-2 flex flex-wrap justify-between gap-x-4 gap-y-1">
            <p className="min-h-5 text-sm text-muted">{title}</p>
            <Link
              to={{ pathname: '/history', search: shown.search }}
              className="text-sm text-accent underline"
            >
              More of this time
            </Link>
          </div>
        )}
        {chips}
        {chart(isHistory ? 'h-chart' : 'h-lone-chart')}
        {areMixed && (
          <p className="mt-1 text-center text-sm text-muted">
            The rooms have different thresholds: the background shows those of the server.
          </p>
        )}
      </section>
      {isHistory && context && shown.resolved && (
        <SpanNumbers
          {...{ metric, sensors }}
          title={`The rooms${title ? `, ${title}` : ''}`}
          span={shown.resolved}
          inView={inView}
          now={context.now}
        />
      )}
    </ReadingsPage>
  );
}

/** Returns the rooms with the newest readings that the page knows. */
function useLiveRooms(rooms: readonly ComparedRoom[], sensors: readonly SensorSummary[]) {
  return useMemo(
    () =>
      rooms.map((room) => ({
        ...room,
        summary: sensors.find(({ name }) => name === room.sensor) ?? room.summary,
      })),
    [rooms, sensors],
  );
}

/** Returns the times of the first and the newest reading of all rooms. */
function timesOfAll(known: readonly SensorSummary[]): { first: number | null; last: number | null } {
  if (known.length === 0) return { first: null, last: null };
  return {
    first: Math.min(...known.map(({ first_heard }) => Date.parse(first_heard))),
    last: Math.max(...known.map(({ last_heard }) => Date.parse(last_heard))),
  };
}

/** Returns the metric of the chart, also as a list that stays the same, and what each room measures. */
function useComparedMetric(
  search: string,
  rooms: readonly ComparedRoom[],
  histories: ReadonlyMap<string, ShownHistory>,
) {
  const metrics = useMetrics();
  const measured = useMemo(
    () =>
      new Map(
        rooms.map(({ sensor, summary }) => {
          const steps = histories.get(sensor)?.answer?.steps ?? [];
          return [sensor, measuredBy(summary, steps)] as const;
        }),
      ),
    [rooms, histories],
  );
  const withReadings = [...measured.values()].filter(({ length }) => length > 0);
  const metric = comparedMetric(search, withReadings, metrics);
  const drawn = useMemo(() => [metric] as const, [metric]);
  return { metric, drawn, measured };
}

function useLines(rooms: readonly ComparedRoom[], histories: ReadonlyMap<string, ShownHistory>) {
  return useMemo(
    () =>
      rooms.map(({ sensor, summary }) => {
        const { answer = null, answered = null } = histories.get(sensor) ?? {};
        return { sensor, answer, answered, first: summary ? Date.parse(summary.first_heard) : null };
      }),
    [rooms, histories],
  );
}

/** Returns the days with readings, and today: the limits of zoom and movement. */
function daysOf(
  context: { now: number; first: number | null } | null,
  resolved: { from: number; to: number } | null,
) {
  const now = context?.now ?? 0;
  const [start, end] = [context?.first ?? now, now].map((time) => unitAround('day', new Date(time)));
  return {
    earliest: Math.min(start?.from ?? 0, resolved?.from ?? now),
    latest: Math.max(end?.to ?? 0, resolved?.to ?? now),
  };
}

/** Returns `Bedroom, Office and Nursery`. */
function listNames(sensors: readonly string[]): string {
  const labels = sensors.map(sensorLabel);
  return labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : labels.join('');
}
