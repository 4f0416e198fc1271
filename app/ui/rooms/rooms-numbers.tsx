import { Link } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { useLive } from '../../live/browser/use-live';
import { formatAverage, formatValue, nameWithUnit } from '../../readings/format/format-value';
import type { RoomNumbers } from '../../readings/history/room-numbers';
import { CO2, type MetricField } from '../../readings/metric';
import { sensorLabel } from '../../readings/sensor';
import { formatMeasured } from '../../readings/time/durations';
import { formatTime, withSpan } from '../../readings/time/span-address';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { formatTimeIn } from '../history/numbers/time-in-level';
import { spanTitle } from '../history/span/span-title';
import { useSpan } from '../history/span/use-span';
import { useHydrated } from '../hydration';
import { useMetrics, useThresholds } from '../page-contexts';
import { withSensor } from '../sensors/sensor-address';
import { groupLabel, MetricLinks, SpanSegments } from './room-controls';

/** Rows that the table shows at first. */
const FIRST_ROWS = 100;

/** A span that hasn't ended is asked for again at this interval. */
const RENEW_MS = 60_000;

interface RoomsNumbersProps {
  group: string;
  metric: MetricField | undefined;
  now: number;
  measured: readonly MetricField[];
}

/** The numbers of rooms over the span in the address: a table with the worst room first, as CSV and on paper too. */
export function RoomsNumbers({ group, metric: asked, now, measured }: RoomsNumbersProps) {
  const isHydrated = useHydrated();
  const [isWhole, setWhole] = useState(false);
  // Changes once a minute, so that a span until now isn't another question each second.
  const minute = Math.floor(now / RENEW_MS) * RENEW_MS + RENEW_MS;
  const context = isHydrated ? { now: minute, first: null, last: null } : null;
  const { span, inView, earlier, later, go, resolved } = useSpan(context, { sensor: '', sensors: [] });
  const thresholds = useThresholds();
  const metric = useMetrics().find(({ field }) => field === (asked ?? CO2.field)) ?? CO2;
  const threshold = thresholds[metric.field];
  const query = resolved && {
    from: formatTime(resolved.from),
    to: formatTime(resolved.to),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    metric: metric.field,
    ...(group && { group }),
  };
  const address = query && `/api/rooms?${new URLSearchParams(query)}`;
  const isOpen = resolved !== null && resolved.to > now;
  const { answered, failure } = useLive<RoomNumbers[]>(address ? { address } : null, {
    everyMs: isOpen ? RENEW_MS : undefined,
  });
  useEffect(() => {
    document.title = 'Rooms – airboard';
  }, []);
  const rooms = answered?.answer;
  const isOld = answered !== null && answered.question.address !== address;
  const hasGroups = rooms?.some((room) => room.group !== '');
  const shown = isWhole ? rooms : rooms?.slice(0, FIRST_ROWS);
  const title = context && span ? spanTitle(inView, span, new Date(now)) : '';
  const timeIn = (seconds: number | null) => (seconds ? formatMeasured(seconds) : '–');
  const value = (number: number | null) => (number === null ? '–' : formatValue(number, threshold, metric));
  return (
    <Card
      title={`${group ? groupLabel(group) : 'Rooms'}: ${nameWithUnit(metric)}, ${title}`}
      isLong
      needsScript
    >
      <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
        <MetricLinks {...{ metric: metric.field, measured }} />
        <SpanSegments shown={inView.name} />
        <div className="flex gap-2">
          <Button
            aria-label="Earlier"
            disabled={!earlier}
            onClick={() => earlier && go(earlier)}
            className="w-11 px-0"
          >
            ‹
          </Button>
          <Button
            aria-label="Later"
            disabled={!later}
            onClick={() => later && go(later)}
            className="w-11 px-0"
          >
            ›
          </Button>
          <a
            href={address ? `${address}&format=csv` : undefined}
            download
            className="flex min-h-11 items-center rounded-[0.625rem] border border-line px-4 font-semibold whitespace-nowrap hover:border-accent"
          >
            CSV
          </a>
        </div>
      </div>
      {failure && !rooms && <Notice isSilent>{failure.message}</Notice>}
      {rooms?.length === 0 && <p className="py-8 text-center text-muted">No room has values of this time.</p>}
      {shown && shown.length > 0 && (
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
              {shown.map((room) => (
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
                    {room.worst_hour === null
                      ? '–'
                      : `${room.worst_hour}:00–${(room.worst_hour + 1) % 24}:00`}
                  </td>
                  <td>{timeIn(room.measured_seconds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {rooms && rooms.length > FIRST_ROWS && !isWhole && (
        <Button look="quiet" className="mt-2 print:hidden" onClick={() => setWhole(true)}>
          Show all {rooms.length} rooms
        </Button>
      )}
    </Card>
  );
}
