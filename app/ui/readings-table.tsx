import type { ReactNode } from 'react';
import { formatValue, formatWithUnit, nameWithUnit } from '../readings/format/format-value';
import { type ByMetric, METRICS, type Metric, NOT_MEASURED, shownMetrics } from '../readings/metric';
import { doubtfulMetrics, type Reading } from '../readings/reading';
import { FAULT_TEXT, FAULT_TITLE } from './level-look';
import { LocalTime } from './local-time';
import { useMetrics } from './page-contexts';

interface ReadingsTableProps {
  readings: readonly Reading[];
  /** False until the store has been read. */
  hasLoaded: boolean;
  whenEmpty?: ReactNode;
}

export function ReadingsTable({ readings, hasLoaded, whenEmpty = 'No readings yet.' }: ReadingsTableProps) {
  const all = useMetrics();
  if (readings.length === 0) {
    return <p className="text-muted">{hasLoaded ? whenEmpty : "Can't load readings yet."}</p>;
  }
  const metrics = shownMetrics(readings, all);
  const isWide = metrics.length > 2;
  const table = (
    <table className={`w-full text-left ${isWide ? WIDE_LOOK : 'table-fixed'}`}>
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-1 pr-3 font-normal">
            Time
          </th>
          {metrics.map((metric) => (
            <th key={metric.field} scope="col" className="py-1 pl-3 text-right font-normal">
              {nameWithUnit(metric)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...readings].reverse().map((reading) => (
          <tr key={reading.id} className="border-t border-line">
            <td className="py-1.5 pr-3">
              <LocalTime time={reading.created_at} />
            </td>
            {metrics.map((metric) => (
              <td key={metric.field} className="py-1.5 pl-3 text-right font-semibold wrap-anywhere">
                <Value
                  metric={metric}
                  value={reading[metric.field]}
                  isDoubtful={doubtfulMetrics(reading).some(({ field }) => field === metric.field)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!isWide) return table;
  return (
    <div className="@container">
      {/* Focusable, so that the arrow keys can scroll it. */}
      <section
        aria-label="Table of readings"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a tab stop.
        tabIndex={0}
        className="relative snap-x snap-mandatory scroll-pl-26 overflow-x-auto -outline-offset-3"
      >
        {table}
      </section>
    </div>
  );
}

/** The times stay in place beside as many whole columns as fit, because a cut column would show 7 for 70.7. */
const WIDE_LOOK =
  'border-separate border-spacing-0 uncontained:[&_:is(td,th)]:min-w-22 @min-[0rem]:[&_:is(td,th)]:min-w-[calc(100cqi-6.5rem)] [&_:is(td,th)]:snap-start @min-[15rem]:[&_:is(td,th)]:min-w-[calc((100cqi-6.5rem)/2)] @lg:[&_:is(td,th)]:min-w-[calc((100cqi-6.5rem)/4)] @4xl:[&_:is(td,th)]:min-w-0 [&_:is(td,th):first-child]:sticky [&_:is(td,th):first-child]:left-0 [&_:is(td,th):first-child]:w-26 [&_:is(td,th):first-child]:min-w-26 [&_:is(td,th):first-child]:bg-surface [&_td]:border-t [&_td]:border-line';

interface ValueProps {
  metric: Metric;
  value?: number | null;
  isDoubtful: boolean;
}

function Value({ metric, value = null, isDoubtful }: ValueProps) {
  if (value !== null && isDoubtful)
    return (
      <span title={FAULT_TITLE}>
        {formatValue(value, undefined, metric)}
        <span aria-hidden="true">?</span> <span className="sr-only">{FAULT_TEXT}</span>
      </span>
    );
  if (value !== null) return formatValue(value, undefined, metric);
  return (
    <span title={NOT_MEASURED}>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{NOT_MEASURED}</span>
    </span>
  );
}

/** Formats a reading's values: `CO2 862 PPM, VOC 120 PPB`. Leaves out metrics that aren't measured. */
export function formatReading(
  reading: ByMetric<number | null>,
  metrics: readonly Metric[] = METRICS,
): string {
  return metrics
    .flatMap((metric) => {
      const value = reading[metric.field] ?? null;
      return value === null ? [] : `${metric.name} ${formatWithUnit(metric, value)}`;
    })
    .join(', ');
}
