import { memo, type ReactNode } from 'react';
import {
  type CellFinder,
  describeCell,
  isSparse,
  measuredSeconds,
  nameTime,
  type PatternUnit,
} from '../../../readings/history/pattern-cells';
import type { Threshold } from '../../../readings/level/level';
import type { Metric } from '../../../readings/metric';
import type { RowTime, TimeRow } from '../../../readings/time/time-rows';
import { shadeOf } from './shade';
import { EMPTY_LOOK, SPARSE_LOOK, shadeLook } from './shade-look';
import { WorstRowHead } from './worst-row-head';

/** What the cells of all rows depend on. */
export interface CellsLook {
  by: PatternUnit;
  metric: Metric;
  threshold: Threshold;
  /** Finds the values of an hour or a day; null until they are there. */
  find: CellFinder | null;
  /** How long an hour or a day is usually measured, in seconds. */
  usual: number;
  /** Milliseconds since 1970. What begins later is still to come. */
  now: number;
  /** The time of the first reading; null if there is none. */
  first: number | null;
  /** Returns the address that shows a time. */
  hrefOf(from: number, to: number): string;
}

/** Why a time can't have readings. */
export const OUTSIDE_NAMES = ['before the first reading', 'to come'] as const;
export type OutsideName = (typeof OUTSIDE_NAMES)[number];

interface WorstRowProps extends CellsLook {
  row: TimeRow;
  /** What is written over its cells that can't have readings. */
  named?: OutsideName;
}

/** A row of hours or days. Rows are rendered one after the other, between which the page responds. */
export const WorstRow = memo(function WorstRow({ row, named, ...look }: WorstRowProps) {
  const { by, find, now, hrefOf } = look;
  const said = new Set<OutsideName>();
  const cellOf = (time: RowTime) => {
    const outside = outsideName(time, look);
    if (!outside) return timeCell(time, look);
    // Once for all of its cells, over which it reaches.
    if (said.has(outside)) return null;
    said.add(outside);
    return (
      <span key={time.from}>
        <span className={outside === named ? 'pl-1 leading-5.5 whitespace-nowrap' : 'sr-only'}>
          {outside}
        </span>
      </span>
    );
  };
  return (
    <tr>
      <WorstRowHead row={row} by={by} now={now} hrefOf={hrefOf} />
      {find ? (
        row.columns.map((times, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number.
          <td key={i}>
            {times.length < 2 ? (
              times.map(cellOf)
            ) : (
              <span className="flex! gap-px *:flex-1 *:rounded-xs">{times.map(cellOf)}</span>
            )}
          </td>
        ))
      ) : (
        <td colSpan={row.columns.length}>
          <span className="bg-canvas" />
        </td>
      )}
    </tr>
  );
});

/** Says why a time can't have readings; null if it can. */
export function outsideName({ from, to }: RowTime, { now, first }: CellsLook): OutsideName | null {
  if (from > now) return 'to come';
  return first !== null && to <= first ? 'before the first reading' : null;
}

function timeCell(time: RowTime, { by, metric, threshold, find, usual, hrefOf }: CellsLook): ReactNode {
  const values = find?.(time)?.[metric.field];
  if (!values)
    return (
      <span key={time.from} className={EMPTY_LOOK}>
        <span className="sr-only">no readings</span>
      </span>
    );
  const look = shadeLook(shadeOf(values.average, threshold));
  return (
    // biome-ignore lint/a11y/useAnchorContent: its label is its content, without 744 elements more.
    <a
      key={time.from}
      href={hrefOf(time.from, time.to)}
      aria-label={`${nameTime(time, by)}: ${describeCell(values, metric, threshold, usual)}`}
      tabIndex={-1}
      data-time={time.from}
      className={isSparse(measuredSeconds(values), usual) ? `${look} ${SPARSE_LOOK}` : look}
    />
  );
}
