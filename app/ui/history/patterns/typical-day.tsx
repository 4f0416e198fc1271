import { useMemo, useState } from 'react';
import { fitValue, formatAverage } from '../../../readings/format/format-value';
import type { PatternAnswer } from '../../../readings/history/history-answer';
import { onlyMeasured } from '../../../readings/history/pattern-cells';
import { levelOf, type Threshold, type Thresholds } from '../../../readings/level/level';
import type { Metric } from '../../../readings/metric';
import { Card } from '../../card';
import { TypicalDayPlot } from './typical-day-plot';
import {
  describeHour,
  nameHour,
  type TypicalHour,
  typicalHours,
  USUAL_DAYS,
  worstHour,
} from './typical-hours';

interface TypicalDayProps {
  /** Null until it is there, which keeps its room. */
  pattern: PatternAnswer | null;
  metric: Metric;
  thresholds: Thresholds;
  /** The days that it is of in words, for its title; null if the page has them. */
  days?: string | null;
}

function whyNoWorst(hours: readonly TypicalHour[]): string {
  if (hours.length === 0) return 'No readings in this span';
  return `Too few days to say when it is usually worst: that takes ${USUAL_DAYS} with readings at the same hour`;
}

/** The typical day: the median and the middle 50 % of each hour's averages. */
export function TypicalDay({ pattern, metric, thresholds, days }: TypicalDayProps) {
  const threshold = thresholds[metric.field];
  const hours = useMemo(() => (pattern ? typicalHours(pattern, metric) : []), [pattern, metric]);
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const worst = worstHour(hours);
  const chosen = hours.find(({ hour }) => hour === pointedAt);
  const describe = (hour: TypicalHour) => `${nameHour(hour.hour)}, ${describeHour(hour, metric, threshold)}`;
  const summary = worst ? `Usually worst at ${describe(worst)}` : pattern && whyNoWorst(hours);

  return (
    <Card
      title={`The typical day: ${metric.name}${days ? `, ${days}` : ''}`}
      note={<p className="min-h-10 text-sm text-muted sm:min-h-5">{chosen ? describe(chosen) : summary}</p>}
    >
      <figure>
        <TypicalDayPlot
          hours={hours}
          metric={metric}
          thresholds={thresholds}
          chosen={chosen}
          onPoint={setPointedAt}
          label={`Median ${metric.name} of each hour${summary ? `. ${summary}` : ''}`}
        />
        <figcaption className="mt-1 text-center text-xs text-muted">
          The line is the median of each hour, and half of the days lie in the band around it.
          {hours.some(({ isSparse }) => isSparse) && ' Little was measured where it is pale.'}
        </figcaption>
      </figure>
      <TypicalDayTable hours={hours} metric={metric} threshold={threshold} />
    </Card>
  );
}

interface TypicalDayTableProps {
  hours: readonly TypicalHour[];
  metric: Metric;
  threshold: Threshold;
}

/** A phone has room for this many characters of a value. */
const ROOM = 7;

const HEADS = ['Hour', 'Median', 'Level', 'Middle 50 %', 'Days'];

/** The typical day in figures, for those who don't see the drawing. */
function TypicalDayTable({ hours, metric: { name, unit }, threshold }: TypicalDayTableProps) {
  if (hours.length === 0) return null;
  const format = (value: number) => fitValue(formatAverage(value, threshold), ROOM);
  return (
    <details className="mt-1 text-sm text-muted">
      <summary className="w-fit cursor-pointer py-2">As a table</summary>
      <table className="w-full text-left">
        <caption className="sr-only">
          {name} ({unit}) of the typical day
        </caption>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col" className="py-1 pr-2 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map(({ hour, lower, median, upper, days, isSparse, measured_seconds }) => (
            <tr key={hour} className="border-t border-line">
              <th scope="row" className="py-1 pr-2 font-normal whitespace-nowrap">
                {nameHour(hour)}
              </th>
              <td className="pr-2 font-semibold wrap-anywhere text-ink">{format(median)}</td>
              <td className="pr-2">{levelOf(median, threshold)}</td>
              <td className="pr-2 wrap-anywhere">
                {format(lower)} to {format(upper)}
              </td>
              <td>{isSparse ? `${days}, ${onlyMeasured(measured_seconds)}` : days}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
