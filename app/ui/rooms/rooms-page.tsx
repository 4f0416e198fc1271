import { Link, useLocation } from '@remix-run/react';
import { useMemo, useRef, useState } from 'react';
import type { FeedSettings } from '../../live/browser/live-feed';
import type { InitialReadings } from '../../live/initial-readings';
import { formatValue, withUnit } from '../../readings/format/format-value';
import { METRICS, type MetricField, measuredMetrics } from '../../readings/metric';
import {
  byGroup,
  countText,
  isInGroup,
  type RoomGroup,
  type RoomNow,
  sortByName,
  worstFirst,
} from '../../readings/now/room-now';
import { sensorLabel } from '../../readings/sensor';
import { SPAN_PARAMETERS } from '../../readings/time/span-address';
import { Card } from '../card';
import { SEGMENT_FRAME } from '../controls';
import { useMetrics, useThresholds } from '../page-contexts';
import { ConnectionNotice } from '../readings-page';
import { useSteadyOrder } from '../sensors/sensor-strip';
import { useIsWall } from '../wall/wall-address';
import { groupLabel, MetricLinks, Segment, SpanSegments, withParameter } from './room-controls';
import { RoomsTimeContext } from './room-tile';
import { RoomsNumbers } from './rooms-numbers';
import { RoomsWall } from './rooms-wall';
import { TileList } from './tile-list';
import { type LiveRooms, useRooms } from './use-rooms';

interface RoomsPageProps {
  initial: InitialReadings;
  problem: string | null;
  /** The worst rooms, which the document contains. */
  rooms: readonly RoomNow[];
  /** The number of all rooms in each state, as text; null if the store can't be read. */
  counted: string | null;
  feed: FeedSettings;
}

/** All rooms at a glance, a wall of them, or their numbers over a span. The address says which. */
export function RoomsPage({ initial, problem, rooms: first, counted, feed }: RoomsPageProps) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const group = query.get('group')?.trim() ?? '';
  const metric = METRICS.find(({ field }) => field === query.get('metric'))?.field;
  const live = useRooms(initial, first, feed, { group, metric });
  const isWall = useIsWall();
  const { connection } = live.readings;
  const isDisconnected = connection.state === 'disconnected';
  const time = useMemo(() => ({ now: live.now, isDisconnected }), [live.now, isDisconnected]);
  const summary = live.isComplete || counted === null ? countText(live.rooms) : counted;
  const notice = <ConnectionNotice connection={connection} problem={problem ?? live.failure} />;
  const isOfSpan = SPAN_PARAMETERS.some((name) => query.has(name));
  return (
    <RoomsTimeContext.Provider value={time}>
      <noscript>Live updates, the numbers of a span and the search need JavaScript.</noscript>
      {isWall ? (
        <RoomsWall rooms={live.rooms} {...{ group, summary, notice }} />
      ) : (
        <div className="grid gap-4">
          <h1 className="sr-only print:not-sr-only print:text-2xl print:font-bold">
            {group ? `Rooms – ${groupLabel(group)}` : 'Rooms'}
          </h1>
          <div className="pointer-events-none fixed inset-x-0 bottom-0 z-10 mx-auto max-w-page px-3 pb-1 sm:px-5">
            {notice}
          </div>
          {isOfSpan ? (
            <RoomsNumbers {...{ group, metric }} now={live.now} measured={measuredIn(initial, live.rooms)} />
          ) : (
            <RoomsCard {...{ live, group, metric, summary }} measured={measuredIn(initial, live.rooms)} />
          )}
        </div>
      )}
    </RoomsTimeContext.Provider>
  );
}

/** Returns the metrics to choose from: those that sensors with the latest readings measure. */
function measuredIn({ sensors }: InitialReadings, rooms: readonly RoomNow[]): MetricField[] {
  const shown = rooms.flatMap(({ metric }) => metric ?? []);
  const measured = measuredMetrics(sensors.map(({ newest }) => newest)).map(({ field }) => field);
  return METRICS.map(({ field }) => field).filter(
    (field) => measured.includes(field) || shown.includes(field),
  );
}

interface RoomsCardProps {
  live: LiveRooms;
  group: string;
  metric: MetricField | undefined;
  summary: string;
  measured: readonly MetricField[];
}

function RoomsCard({ live, group, metric, summary, measured }: RoomsCardProps) {
  const { search } = useLocation();
  const thresholds = useThresholds();
  const [text, setText] = useState('');
  const isByName = new URLSearchParams(search).get('order') === 'name';
  const list = useRef<HTMLDivElement>(null);
  const { rooms, now } = live;
  const byName = useMemo(() => sortByName(rooms, ({ sensor }) => sensor), [rooms]);
  const ordered = useMemo(
    () => (isByName ? byName : worstFirst(byName, thresholds)),
    [byName, isByName, thresholds],
  );
  const names = useMemo(() => ordered.map(({ sensor }) => sensor), [ordered]);
  const order = useSteadyOrder(list, names, isByName ? 0 : now);
  const found = useMemo(() => {
    const known = new Map(rooms.map((room) => [room.sensor, room]));
    const sought = text.trim().toLowerCase();
    return (isByName ? names : order).flatMap((name) => {
      const room = known.get(name);
      if (!room || !isInGroup(room.group, group)) return [];
      return `${sensorLabel(name)} ${room.group}`.toLowerCase().includes(sought) ? [room] : [];
    });
  }, [rooms, order, names, isByName, text, group]);
  const groups = byGroup(found, isByName);
  const hasGroups = groups.some((each) => each.group !== '');
  return (
    <Card title={group ? groupLabel(group) : 'Rooms'} note={<p className="text-sm text-muted">{summary}</p>}>
      <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
        <label className="min-w-0 flex-1 basis-40 noscript:hidden sm:flex-none">
          <span className="sr-only">Find a room</span>
          <input
            type="search"
            value={text}
            onChange={({ target }) => setText(target.value)}
            placeholder="Find a room"
            className="min-h-11 w-full rounded-[0.625rem] border border-line bg-surface px-3 placeholder:text-muted"
          />
        </label>
        <MetricLinks {...{ metric, measured }} isWithAll />
        <nav aria-label="Order" className={`${SEGMENT_FRAME} grid-cols-2`}>
          {(['worst', 'name'] as const).map((name) => (
            <Segment
              key={name}
              parameter="order"
              value={name === 'name' ? name : null}
              isSelected={isByName === (name === 'name')}
            >
              {name === 'name' ? 'By name' : 'Worst first'}
            </Segment>
          ))}
        </nav>
        <SpanSegments />
      </div>
      <div ref={list} className="grid gap-4">
        {groups.map((each, i) => (
          <Group key={each.group} {...each} hasHeading={hasGroups} isFirst={i === 0} />
        ))}
        {found.length === 0 && (
          <p className="py-8 text-center text-muted">
            {rooms.length === 0 ? 'No room has sent a reading yet.' : 'No room has this name.'}
          </p>
        )}
      </div>
    </Card>
  );
}

function Group({ group, rooms, hasHeading, isFirst }: RoomGroup & { hasHeading: boolean; isFirst: boolean }) {
  const thresholds = useThresholds();
  const metrics = useMetrics();
  const { search } = useLocation();
  const [worst] = worstFirst(rooms, thresholds);
  const metric = metrics.find(({ field }) => field === worst?.metric);
  const name = group ? groupLabel(group) : 'Without a group';
  return (
    <section aria-label={name}>
      {hasHeading && (
        <div className="mb-1.5 flex flex-wrap justify-between gap-x-3 text-sm font-semibold text-muted">
          <h3>
            <Link
              to={{ search: withParameter(search, 'group', group || null) }}
              discover="none"
              className="hover:underline"
            >
              {name}
            </Link>
          </h3>
          {worst?.freshness === 'live' && metric && worst.value !== null && (
            <p>
              worst: {sensorLabel(worst.sensor)},{' '}
              {withUnit(metric, formatValue(worst.value, thresholds[metric.field], metric))}
            </p>
          )}
        </div>
      )}
      <TileList rooms={rooms} isFirst={isFirst} />
    </section>
  );
}
