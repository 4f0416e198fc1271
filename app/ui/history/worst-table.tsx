import { memo, type ReactNode } from 'react';
import type { Metric } from '../../readings/metric';
import { type CellFinder, describeAverage, nameTime, type PatternUnit } from '../../readings/pattern-cells';
import { shadeOf } from '../../readings/shade';
import type { Threshold } from '../../readings/threshold';
import type { RowTime, TimeRow } from '../../readings/time-rows';
import { EMPTY_LOOK, shadeLook } from './shade-look';
import { WorstRowHead } from './worst-row-head';

export interface WorstTableProps {
  rows: readonly TimeRow[];
  by: PatternUnit;
  metric: Metric;
  threshold: Threshold;
  /** Finds the values of an hour or a day; null until they are there. */
  find: CellFinder | null;
  /** Milliseconds since 1970. What begins later is still to come. */
  now: number;
  /** Returns the address that shows a time. */
  hrefOf(from: number, to: number): string;
}

/** Every third hour and every fifth day has its number above it. There is no room for more. */
const HEADS: Record<PatternUnit, { column: number; isShown: boolean }[]> = {
  hour: Array.from({ length: 24 }, (_, hour) => ({ column: hour, isShown: hour % 3 === 0 })),
  day: Array.from({ length: 31 }, (_, i) => ({ column: i + 1, isShown: i === 0 || (i + 1) % 5 === 0 })),
};

/** The look of all cells: classes on each of them would make a month a third slower. */
const CELLS_LOOK =
  '[&_td]:h-5 [&_td]:p-0 sm:[&_td]:h-5.5 [&_td>*]:block [&_td>*]:h-full [&_td>*]:rounded-xs sm:[&_td>*]:rounded-[5px]';

const LINKS_LOOK =
  '[&_td_a]:-outline-offset-1 [&_td_a:hover]:outline-2 [&_td_a:hover]:outline-ink [&_td_a:focus-visible]:relative [&_td_a:focus-visible]:z-1 [&_td_a:focus-visible]:outline-offset-1';

/**
 * The hours of days, or the days of months, with a link for each that has readings. A month has 744 of them, so they are
 * elements without handlers or components: the table around them handles their events.
 */
export const WorstTable = memo(function WorstTable(props: WorstTableProps) {
  const { rows, by, find } = props;
  return (
    <>
      <colgroup>
        <col className={`${by === 'hour' ? 'w-11' : 'w-14'} sm:w-20`} />
      </colgroup>
      <thead>
        <tr>
          <td />
          {HEADS[by].map(({ column, isShown }) => (
            <th key={column} scope="col" className="overflow-visible p-0 text-center font-normal">
              <span className={isShown ? 'flex justify-center' : 'sr-only'}>
                {column}
                {by === 'hour' && <span className="sr-only">:00</span>}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={`${CELLS_LOOK} ${LINKS_LOOK}`}>
        {rows.map((row) => (
          <tr key={row.from}>
            <WorstRowHead row={row} by={by} now={props.now} hrefOf={props.hrefOf} />
            {find ? (
              row.columns.map((times, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number.
                <td key={i}>
                  {times.length < 2 ? (
                    times.map((time) => timeCell(time, props))
                  ) : (
                    <span className="flex! gap-px *:flex-1 *:rounded-xs">
                      {times.map((time) => timeCell(time, props))}
                    </span>
                  )}
                </td>
              ))
            ) : (
              <td colSpan={row.columns.length}>
                <span className="bg-canvas" />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </>
  );
});

function timeCell(time: RowTime, { by, metric, threshold, find, now, hrefOf }: WorstTableProps): ReactNode {
  if (time.from > now) return null;
  const values = find?.(time)?.[metric.field];
  if (!values)
    return (
      <span key={time.from} className={EMPTY_LOOK}>
        <span className="sr-only">no readings</span>
      </span>
    );
  return (
    // biome-ignore lint/a11y/useAnchorContent: its label is its content, without 744 elements more.
    <a
      key={time.from}
      href={hrefOf(time.from, time.to)}
      aria-label={`${nameTime(time, by)}: ${describeAverage(values.average, metric, threshold)}`}
      tabIndex={-1}
      data-time={time.from}
      className={shadeLook(shadeOf(values.average, threshold))}
    />
  );
}
