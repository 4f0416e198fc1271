import { Link } from '@remix-run/react';
import { useLive } from '../../live/browser/use-live';
import { formatAverage, formatValue } from '../../readings/format/format-value';
import type { RoomNumbers } from '../../readings/history/room-numbers';
import type { Metric, MetricField } from '../../readings/metric';
import { sensorLabel } from '../../readings/sensor';
import { formatMeasured } from '../../readings/time/durations';
import type { AskedSpan, Span } from '../../readings/time/history-span';
import { formatTime, withSpan } from '../../readings/time/span-address';
import { formatTimeIn } from '../history/numbers/time-in-level';
import { useServerThresholds } from '../page-contexts';
import { withSensor } from '../sensors/sensor-address';
import { groupLabel } from './room-controls';

/** A span that hasn't ended is asked for again at this interval. */
export const RENEW_MS = 60_000;

interface NumbersQuery {
  metric: MetricField;
  group?: string;
  /** Only these rooms. */
  sensors?: readonly string[];
}

/** Returns the API address of the numbers of rooms over a span. */
export function numbersAddress({ from, to }: Span, { metric, group, sensors = [] }: NumbersQuery): string {
  const query = new URLSearchParams({
    from: formatTime(from),
    to: formatTime(to),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    metric,
    ...(group && { group }),
  });
  for (const sensor of sensors) query.append('sensor', sensor);
  return `/api/rooms?${query}`;
}

/** Asks for the numbers of rooms, again each minute if the span is open. `isOld` is true while another answer loads. */
export function useRoomNumbers(address: string | null, isOpen: boolean) {
  const { answered, failure } = useLive<RoomNumbers[]>(address ? { address } : null, {
    everyMs: isOpen ? RENEW_MS : undefined,
  });
  const rooms = answered?.answer;
  const isOld = answered !== null && answered.question.address !== address;
  return { rooms, isOld, failure: rooms ? null : failure };
}

interface RoomsTableProps {
  rooms: readonly RoomNumbers[];
  metric: Metric;
  span: Span | null;
  /** The span as the address says it, for links. */
  inView: AskedSpan;
  now: number;
  isOld: boolean;
}

/** The numbers of rooms over a span, one row for each. A room links to its history over the same time. */
export function RoomsTable({ rooms, metric, span, inView, now, isOld }: RoomsTableProps) {
  const threshold = useServerThresholds()[metric.field];
  const hasGroups = rooms.some((room) => room.group !== '');
  const timeIn = (seconds: number | null) => (seconds ? formatMeasured(seconds) : '–');
  const value = (number: number | null) => (number === null ? '–' : formatValue(number, threshold, metric));
  return (
    <section
      aria-label="Numbers of the rooms"
      aria-busy={isOld}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a tab stop.
      tabIndex={0}
      className="overflow-x-auto -outline-offset-3"
    >
      <table className="w-full text-left text-sm [&_td]:py-2 [&_td]:pr-4 [&_th]:py-2 [&_th]:pr-4 [&_tr]:border-b [&_tr]:border-line print:text-xs">
        <thead className="text-muted [&_th]:font-normal">
          <tr>
            <th scope="col">room</th>
            {hasGroups && <th scope="col">group</th>}
            {threshold && <th scope="col">above {value(threshold.good)}</th>}
            {threshold && <th scope="col">above {value(threshold.moderate)}</th>}
            <th scope="col">average</th>
            <th scope="col">highest</th>
            <th scope="col">worst hour</th>
            <th scope="col">measured</th>
          </tr>
        </thead>
        <tbody>
          {rooms.map((room) => (
            <tr key={room.sensor}>
              <th scope="row" className="font-semibold">
                <Link
                  to={{ pathname: '/history', search: withSensor(withSpan('', inView), room.sensor) }}
                  discover="none"
                  className="inline-block min-h-6 content-center align-middle hover:underline"
                >
                  <bdi>{sensorLabel(room.sensor)}</bdi>
                </Link>
              </th>
              {hasGroups && <td>{groupLabel(room.group)}</td>}
              {threshold && <td>{timeIn((room.moderate_seconds ?? 0) + (room.poor_seconds ?? 0))}</td>}
              {threshold && <td>{timeIn(room.poor_seconds)}</td>}
              <td>
                {room.average === null ? '–' : formatAverage(room.average, threshold, undefined, metric)}
              </td>
              <td>
                {value(room.highest)}
                {room.highest_at && span && (
                  <span className="text-muted">, {formatTimeIn(span, room.highest_at, now)}</span>
                )}
              </td>
              <td>
                {room.worst_hour === null ? '–' : `${room.worst_hour}:00–${(room.worst_hour + 1) % 24}:00`}
              </td>
              <td>{timeIn(room.measured_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
