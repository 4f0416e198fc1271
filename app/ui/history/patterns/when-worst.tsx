import { type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import type { PatternAnswer } from '../../../readings/history/history-answer';
import {
  cellFinder,
  describeCell,
  isSparse,
  measuredSeconds,
  nameTime,
  type PatternUnit,
  usualCellSeconds,
  worstTime,
} from '../../../readings/history/pattern-cells';
import type { Thresholds } from '../../../readings/level/level';
import type { Metric } from '../../../readings/metric';
import type { Span } from '../../../readings/time/history-span';
import { daysByHour, monthsByDay, type RowTime } from '../../../readings/time/time-rows';
import { Card } from '../../card';
import { ShadeLegend } from './shade-legend';
import { useTableChoice } from './use-table-choice';
import { useTableKeys } from './use-table-keys';
import { WorstTable } from './worst-table';

interface WhenWorstProps {
  /** The pattern of `view`; null until it is there, which keeps its room. */
  pattern: PatternAnswer | null;
  /** Hours across and days down, or days across and months down. */
  by: PatternUnit;
  /** In milliseconds since 1970. */
  view: Span;
  /** The viewer's clock in milliseconds since 1970. */
  now: number;
  /** The time of the first reading; null if there is none. */
  first: number | null;
  metric: Metric;
  thresholds: Thresholds;
  /** Returns the address that shows a time, in milliseconds since 1970. A new function renders the table again. */
  hrefOf(from: number, to: number): string;
  /** The days of the table in words, for its title; null if the page has them. */
  days?: string | null;
  /** Shown opposite the title. */
  aside?: ReactNode;
}

/** Times that have begun are looked for this often. Hours of all zones begin with a quarter of an hour. */
const QUARTER_MS = 900_000;

/** When the air is worst: a table of hours or days, coloured by the level of their averages. Each opens its time. */
export function WhenWorst(props: WhenWorstProps) {
  const { pattern, by, first, metric, hrefOf, days, aside } = props;
  const { from, to } = props.view;
  const threshold = props.thresholds[metric.field];
  const now = Math.floor(props.now / QUARTER_MS) * QUARTER_MS;
  const table = useRef<HTMLTableElement>(null);
  const { onKeyDown, onFocus: moveTabStop } = useTableKeys(table);
  const [choice, handlers] = useTableChoice();
  const rows = useMemo(
    () => (by === 'hour' ? daysByHour({ from, to }) : monthsByDay({ from, to })),
    [by, from, to],
  );
  const times = useMemo(() => rows.flatMap(({ columns }) => columns.flat()), [rows]);
  const find = useMemo(() => pattern && cellFinder(pattern.cells), [pattern]);
  const usual = useMemo(() => usualCellSeconds(pattern?.cells ?? [], metric), [pattern, metric]);
  const worst = useMemo(() => find && worstTime(times, find, metric, usual), [times, find, metric, usual]);
  const hasSparse = pattern?.cells.some(({ [metric.field]: values }) => {
    return values && isSparse(measuredSeconds(values), usual);
  });

  const describe = (time: RowTime) => {
    const values = find?.(time)?.[metric.field];
    return values
      ? `${nameTime(time, by)}: ${describeCell(values, metric, threshold, usual)}`
      : nameTime(time, by);
  };
  const content = useMemo(
    () => ({ rows, by, metric, threshold, find, usual, now, first, hrefOf }),
    [rows, by, metric, threshold, find, usual, now, first, hrefOf],
  );
  // Rendered in pieces between which the page responds: a month has 744 cells, five years have 1,800.
  const shown = useDeferredValue(content);
  const chosen = times.find((time) => time.from === choice.time);
  const hint = choice.isTouched ? `. Tap again to see this ${by}.` : '';

  return (
    <Card
      title={
        <>
          When it is worst: {metric.name}
          {days && `, ${days}`}
          <span className="max-sm:hidden">, {by === 'hour' ? 'by day and hour' : 'by month and day'}</span>
        </>
      }
      isLong
      aside={aside}
    >
      {/* Sticky: a finger in a long table has it above. */}
      <p className="sticky top-0 z-2 -mt-2 min-h-16 bg-surface pb-1 text-sm text-muted sm:min-h-11 lg:min-h-6">
        {chosen
          ? `${describe(chosen)}${hint}`
          : worst
            ? `Worst: ${describe(worst)}`
            : pattern && 'No readings in this span'}
      </p>
      <table
        ref={table}
        className="w-full table-fixed border-separate border-spacing-px text-xs text-muted sm:border-spacing-[3px]"
        {...handlers}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          moveTabStop(event);
          handlers.onFocus(event);
        }}
      >
        <caption className="sr-only">
          The average of {metric.name} in each {by}
        </caption>
        <WorstTable {...shown} />
      </table>
      <ShadeLegend {...{ metric, threshold, by }} hasSparse={hasSparse ?? false} hasHint={choice.isTouched} />
    </Card>
  );
}
