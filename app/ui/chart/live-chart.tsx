import { Link } from '@remix-run/react';
import { type ReactNode, useMemo } from 'react';
import { isImpaired } from '../../live/browser/page-state';
import type { LiveReadings } from '../../live/browser/use-readings';
import { chartSeries } from '../../readings/chart/chart-series';
import type { Range } from '../../readings/chart/range';
import { ofSensor } from '../../readings/sensor';
import { useShownReadings, useThresholds } from '../page-contexts';
import { describeShownRange } from './range-period';
import { ReadingsChart } from './readings-chart';
import { ZOOM_BAR_ROOM } from './zoom-bar';

/** The part of a page's readings that a chart needs. */
export type ChartReadings = Pick<LiveReadings, 'history' | 'count' | 'connection'>;

interface LiveChartProps {
  range: Range;
  /** The height of the chart. */
  className: string;
  /** How much larger the chart is shown than it is drawn: its canvas is as sharp as that needs. */
  scale?: number;
  /** Shown instead of an empty chart. */
  whenEmpty?: ReactNode;
}

const TEXT_LOOK = 'grid place-content-center text-center text-muted';

/** The chart of a range, or a text while it has nothing to show. */
export function LiveChart({ range, className, scale, whenEmpty }: LiveChartProps) {
  const readings = useShownReadings();
  const thresholds = useThresholds();
  const { history, count, hasLoaded, connection } = readings;
  const isDrawn = isDrawable({ history, count, connection }, range);
  const points = useMemo(
    () => (isDrawn ? chartSeries(history, range, count) : []),
    [isDrawn, history, range, count],
  );
  if (points.length > 0)
    return (
      <ReadingsChart
        key={`${range.name} ${readings.sensor}`}
        {...{ points, thresholds, className, scale }}
        ofSensor={ofSensor(readings)}
        legend={
          // A page has a line for it.
          scale && (
            <span data-shown-range className="text-muted">
              {describeShownRange(history, range, new Date())}
            </span>
          )
        }
      />
    );
  if (history.length < count) return <LoadingChart className={className} />;
  const emptyText = whenEmpty ?? (hasLoaded ? <NoReadings /> : "Can't load readings yet.");
  return <p className={`${TEXT_LOOK} h-40`}>{emptyText}</p>;
}

/**
 * Returns whether the chart draws what the page has. The first readings alone would make a chart that jumps when the
 * others come, which may take long, or fail, while the connection is impaired.
 */
export function isDrawable({ history, count, connection }: ChartReadings, range: Range): boolean {
  return history.length >= Math.min(count, range.maxPoints) || isImpaired(connection);
}

/** Takes the room of the chart and of the line below it. */
function LoadingChart({ className }: { className: string }) {
  return <p className={`${TEXT_LOOK} ${ZOOM_BAR_ROOM} box-content pb-11 ${className}`}>Loading readings…</p>;
}

function NoReadings() {
  return (
    <span>
      No readings yet.{' '}
      <Link to="/postdata" className="text-accent underline">
        Post the first one
      </Link>
      .
    </span>
  );
}
