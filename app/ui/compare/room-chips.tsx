import { Link, useLocation } from '@remix-run/react';
import { formatQuery } from '../../readings/format/format-query';
import type { ComparedRoom } from '../../readings/history/compared-room';
import type { Metric, MetricField } from '../../readings/metric';
import type { SensorSummary } from '../../readings/reading';
import { sensorLabel } from '../../readings/sensor';
import { LineSample } from '../chart/chart-legend';
import { ROOM_LOOKS } from '../chart/room-looks';
import { MetricLinks } from '../rooms/room-controls';
import { AddRooms } from '../sensors/add-rooms';
import { withSensor } from '../sensors/sensor-address';

interface RoomChipsProps {
  rooms: readonly ComparedRoom[];
  metric: Metric;
  /** The metrics of each room. */
  measured: ReadonlyMap<string, readonly MetricField[]>;
  sensors: readonly SensorSummary[];
  /** True on a wall, which has no controls. */
  isPlain: boolean;
}

/** The rooms of the chart with their lines, to remove one or to add others, and the choice of the metric. */
export function RoomChips({ rooms, metric, measured, sensors, isPlain }: RoomChipsProps) {
  const { search } = useLocation();
  const shown = rooms.map(({ sensor }) => sensor);
  const offered = [...new Set([...measured.values()].flat())];
  return (
    <div className="mb-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <ul aria-label="Rooms of the chart" className="flex min-w-0 flex-wrap items-center gap-2">
        {rooms.map(({ sensor, summary }, i) => {
          const look = ROOM_LOOKS[i];
          const lacks = missingText(summary, measured.get(sensor) ?? [], metric);
          return (
            <li
              key={sensor}
              className={`flex min-h-9 min-w-0 items-center gap-2 text-[0.8125rem] ${isPlain ? '' : 'rounded-full border border-line pl-3'}`}
            >
              {look && <LineSample line={look} />}
              {isPlain ? (
                <bdi className="truncate">{sensorLabel(sensor)}</bdi>
              ) : (
                <Link
                  to={{ search: withSensor(search, sensor) }}
                  discover="none"
                  className="min-w-0 truncate hover:underline"
                >
                  <bdi>{sensorLabel(sensor)}</bdi>
                </Link>
              )}
              {lacks && <span className="text-muted">{lacks}</span>}
              {!isPlain && (
                <Link
                  to={{ search: without(search, shown, sensor) }}
                  preventScrollReset
                  discover="none"
                  aria-label={`Remove ${sensorLabel(sensor)}`}
                  className="grid min-h-9 min-w-8 place-content-center rounded-full pr-1 text-muted hover:text-ink"
                >
                  ✕
                </Link>
              )}
            </li>
          );
        })}
        {!isPlain && (
          <li>
            <AddRooms {...{ sensors, shown }} />
          </li>
        )}
      </ul>
      {!isPlain && <MetricLinks metric={metric.field} measured={offered} parameter="metrics" />}
    </div>
  );
}

/** Returns the reason why a room has no line; null if it can have one. */
function missingText(
  summary: SensorSummary | null,
  measured: readonly MetricField[],
  { field, name }: Metric,
): string | null {
  if (!summary) return 'has sent no reading yet';
  return measured.includes(field) ? null : `doesn't measure ${name}`;
}

function without(search: string, shown: readonly string[], sensor: string): string {
  const query = new URLSearchParams(search);
  query.delete('sensor');
  for (const name of shown) if (name !== sensor) query.append('sensor', name);
  return formatQuery(query);
}
