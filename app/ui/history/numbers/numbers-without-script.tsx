import { formatAverage, formatWithUnit, withUnit } from '../../../readings/format/format-value';
import {
  type LevelSummary,
  levelSecondsOf,
  type MetricSummary,
  type PageNumbers,
} from '../../../readings/history/history-answer';
import { outsideText } from '../../../readings/history/pattern-cells';
import { type Metric, shownMetrics, type Threshold, type Thresholds } from '../../../readings/metric';
import { formatUtcTime } from '../../local-time';
import { useMetrics } from '../../page-contexts';
import { namePart, timeParts } from './time-in-level';

interface NumbersWithoutScriptProps {
  numbers: PageNumbers;
  thresholds: Thresholds;
}

/** A span's numbers as text, with times in UTC. Only for the server, inside `noscript`. */
export function NumbersWithoutScript({ numbers, thresholds }: NumbersWithoutScriptProps) {
  const { from, to, now, summary } = numbers;
  const metrics = useMetrics();
  return (
    <>
      <h2 className="font-semibold text-muted">
        {`Numbers from ${utc(from)} to ${utc(Math.min(to, Math.max(from, now)))}`}
      </h2>
      {summary.readings === 0 && <p>no readings</p>}
      <ul>
        {shownMetrics([summary], metrics).map((metric) => {
          const own = summary[metric.field];
          if (!own) return null;
          const levels = levelSecondsOf<LevelSummary>(own);
          const time = levels
            ? timeParts(levels, numbers, numbers).map(namePart).join(', ')
            : outsideText(own, metric);
          return (
            <li key={metric.field}>
              {[`${metric.name}: ${valuesOf(own, metric, thresholds[metric.field])}`, time]
                .filter(Boolean)
                .join('; ')}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function valuesOf(summary: MetricSummary, metric: Metric, threshold?: Threshold): string {
  if (summary.lowest === null) return 'no readings';
  const { lowest, average, highest, lowest_at, highest_at } = summary;
  return [
    `lowest ${formatWithUnit(metric, lowest, threshold)} at ${formatUtcTime(lowest_at)}`,
    `average ${withUnit(metric, formatAverage(average, threshold, summary, metric))}`,
    `highest ${formatWithUnit(metric, highest, threshold)} at ${formatUtcTime(highest_at)}`,
  ].join(', ');
}

const utc = (ms: number) => formatUtcTime(new Date(ms).toISOString());
