import { Link } from '@remix-run/react';
import { createContext, memo, useContext } from 'react';
import { fitValue, formatValue, withUnit } from '../../readings/format/format-value';
import { metricOf, type Threshold } from '../../readings/metric';
import { aboveText, type RoomNow, stateOfRoom } from '../../readings/now/room-now';
import { sensorLabel } from '../../readings/sensor';
import { formatDuration } from '../../readings/time/durations';
import { BOX_LOOK } from '../level-look';
import { useMetrics, useThresholds } from '../page-contexts';
import { withSensor } from '../sensors/sensor-address';

/** The height of a tile. All tiles have it, so that undrawn ones take the same space. */
export const TILE_HEIGHT = 'h-36';

/** The server's clock in milliseconds, and whether new readings can arrive. A context, so that undrawn tiles aren't rendered each second. */
export const RoomsTimeContext = createContext({ now: 0, isDisconnected: false });

interface RoomTileProps {
  room: RoomNow;
  isWall?: boolean;
}

const ROOM = 7;

/** A room: its name, its level and value, how it got there, and what to do. A link to its dashboard. */
export const RoomTile = memo(function RoomTile({ room, isWall = false }: RoomTileProps) {
  const { now, isDisconnected } = useContext(RoomsTimeContext);
  const metrics = useMetrics();
  const thresholds = useThresholds();
  const { sensor, freshness, level, cause } = room;
  const isLive = freshness === 'live';
  const state = stateOfRoom(room);
  const metric = metrics.find(({ field }) => field === room.metric);
  const threshold: Threshold | undefined = metric && thresholds[metric.field];
  const value =
    metric && room.value !== null ? fitValue(formatValue(room.value, threshold, metric), ROOM) : null;
  const age = `${formatDuration(now - Date.parse(room.at))} ago`;
  const hasColor = isLive && !isDisconnected;
  const look = !hasColor ? BOX_LOOK.silent : level ? BOX_LOOK[level] : 'bg-canvas text-ink';
  const word = state === 'without a level' ? '' : cause ? `${state} (${metricOf(cause).name})` : state;
  const content = (
    <>
      <span className="flex min-w-0 items-baseline justify-between gap-2 text-sm font-semibold">
        {/* The name comes first: a long word, such as that of a cause, is cut instead. */}
        <bdi className="max-w-[65%] shrink-0 truncate">{sensorLabel(sensor)}</bdi>{' '}
        <span className="min-w-0 truncate">{word}</span>
      </span>{' '}
      {isLive ? (
        <>
          <span className={`truncate font-bold ${isWall ? 'text-5xl' : 'text-[1.75rem]/9'}`}>
            {value ?? 'not measured'}
            {value !== null && <span className="text-sm"> {metric?.unit}</span>}
          </span>{' '}
          <RoomLine line={room.line} last={room.value} />
          <span className="mt-auto truncate text-xs">{room.advice}</span>{' '}
          <span className="flex justify-between gap-2 text-xs">
            <span className="truncate">{aboveText(room, now)}</span> <span className="shrink-0">{age}</span>
          </span>
        </>
      ) : (
        <>
          <span className="font-semibold">
            {freshness === 'ahead' ? 'time not known' : `no reading for ${age.replace(' ago', '')}`}
          </span>{' '}
          <span className="text-xs">
            {value !== null && `last ${metric ? withUnit(metric, value) : value}`}
          </span>
          <span className="mt-auto text-xs">{room.advice}</span>
        </>
      )}
    </>
  );
  const frame = `flex h-full min-w-0 flex-col rounded-xl border-2 px-3 py-2 leading-tight ${look} ${hasColor && level ? 'border-transparent' : 'border-line'}`;
  if (isWall)
    return (
      <div className={frame} data-level={(hasColor && level) || undefined}>
        {content}
      </div>
    );
  return (
    <Link
      to={{ pathname: '/', search: withSensor('', sensor) }}
      discover="none"
      data-room={sensor}
      data-level={(hasColor && level) || undefined}
      data-freshness={freshness}
      title={sensorLabel(sensor)}
      className={`${frame} -outline-offset-2 hover:border-current`}
    >
      {content}
    </Link>
  );
});

const [WIDTH, HEIGHT] = [100, 24];

/** The averages of the last hours as a small line, with gaps where there are none. Decoration: the words say what matters. */
export function RoomLine({ line, last }: { line: readonly (number | null)[]; last: number | null }) {
  const known = line.filter((value) => value !== null);
  if (last !== null) known.push(last);
  if (known.length < 2) return <span className="h-7" />;
  const lowest = known.reduce((a, b) => Math.min(a, b));
  const highest = known.reduce((a, b) => Math.max(a, b));
  // A steady value is a flat line: noise of a few percent isn't a curve.
  const range = Math.max(highest - lowest, Math.abs(highest) / 10, Number.MIN_VALUE);
  const middle = (lowest + highest) / 2;
  const y = (value: number) => HEIGHT / 2 - ((value - middle) / range) * (HEIGHT - 4);
  // The quarter that has just begun may have no average yet.
  const averages = line.at(-1) === null ? line.slice(0, -1) : line;
  const points = [...averages, last];
  const step = WIDTH / Math.max(1, averages.length);
  let path = '';
  for (const [i, value] of points.entries()) {
    if (value === null || value === undefined) continue;
    const isJoined = (points[i - 1] ?? null) !== null;
    path += `${isJoined ? 'L' : 'M'}${(i * step).toFixed(1)} ${y(value).toFixed(1)}`;
    // A single step is drawn as a point.
    if (!isJoined && (points[i + 1] ?? null) === null) path += 'h.1';
  }
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="my-0.5 h-7 w-full shrink-0 fill-none stroke-current stroke-2 opacity-70 [stroke-linecap:round]"
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
