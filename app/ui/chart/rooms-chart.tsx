import { type ReactNode, useMemo } from 'react';
import { TimeChart } from './history-chart';
import { nowIn } from './history-model';
import type { ViewFollower } from './history-zoom';
import { type RoomHistory, roomsModel } from './rooms-model';

type ModelParts = Parameters<typeof roomsModel>[0];

interface RoomsChartProps extends ViewFollower, Pick<ModelParts, 'view' | 'thresholds' | 'now'> {
  /** The same list as long as no room changes. */
  rooms: readonly RoomHistory[];
  /** The one metric, as the same list on each render. */
  metric: ModelParts['metric'];
  isMoving: boolean;
  className: string;
  scale?: number;
  legend?: ReactNode;
}

/** A chart of one metric with a line for each room. */
export function RoomsChart({ rooms, metric, view, thresholds, now: at, ...rest }: RoomsChartProps) {
  const now = nowIn(view, at);
  const model = useMemo(
    () => roomsModel({ rooms, metric, view, thresholds, now }),
    [rooms, metric, view, thresholds, now],
  );
  const answers = rooms.flatMap(({ answer }) => answer ?? []);
  const isLoading = answers.length < rooms.length;
  return (
    <TimeChart
      // A new chart for other rooms: Chart.js would keep the colours of the former ones.
      key={rooms.map(({ sensor }) => sensor).join('\n')}
      model={model}
      step={answers[0]?.step_seconds}
      ofSensor={` of ${rooms.length} rooms${isLoading ? ', still loading,' : ''}`}
      {...rest}
    />
  );
}
