import { memo, type ReactNode } from 'react';
import { at } from '../../../readings/at';
import { measuredSeconds } from '../../../readings/history/history-answer';
import {
  type CellFinder,
  describeCell,
  isSparse,
  nameTime,
  type PatternUnit,
} from '../../../readings/history/pattern-cells';
import type { RowTime, TimeRow } from '../../../readings/history/time-rows';
import type { Metric, Threshold } from '../../../readings/metric';
import { monthName, weekdayName } from '../../../readings/time/local-time';
import { cellLook, EMPTY_LOOK, SPARSE_LOOK, type ValueRange } from './shade';

interface WorstTableProps extends CellsLook {
  rows: readonly TimeRow[];
}

/** The column heads. Only every third hour and every fifth day is visible, for lack of room. */
const HEADS: Record<PatternUnit, { column: number; isShown: boolean }[]> = {
  hour: Array.from({ length: 24 }, (_, hour) => ({ column: hour, isShown: hour % 3 === 0 })),
  day: Array.from({ length: 31 }, (_, i) => ({ column: i + 1, isShown: i === 0 || (i + 1) % 5 === 0 })),
};

/** The classes for all cells. Classes on each cell would slow down a month by a third. */
const CELLS_LOOK =
  '[&_td]:h-6 [&_td]:p-0 [&_td>*]:block [&_td>*]:h-full [&_td>*]:rounded-xs sm:[&_td>*]:rounded-[5px]';

const LINKS_LOOK =
  '[&_td_a]:-outline-offset-1 [&_td_a:hover]:outline-2 [&_td_a:hover]:outline-ink [&_td_a:focus-visible]:relative [&_td_a:focus-visible]:z-1 [&_td_a:focus-visible]:outline-offset-1';

/** The width, in columns, of a label over cells that can't have readings. */
const NAMED_COLUMNS = 12;

/** The rows of days or months. The surrounding table handles the events of all cells (744 in a month). */
export const WorstTable = memo(function WorstTable({ rows, ...look }: WorstTableProps) {
  const { by } = look;
  const named = OUTSIDE_NAMES.map((name) => ({ name, row: widestRow(rows, name, look) }));
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
        {foldRows(rows, look).map((run) => {
          const row = at(run.rows, 0);
          if (run.rows.length > 1) return <FoldedRow key={row.from} run={run} />;
          return (
            <WorstRow key={row.from} row={row} named={named.find((one) => one.row === row)?.name} {...look} />
          );
        })}
      </tbody>
    </>
  );
});

/** Runs of at least this many months that are empty for the same reason become one row. */
const FOLDED_FROM = 3;

interface RowRun {
  rows: TimeRow[];
  reason: string | null;
}

/** Groups consecutive months that are empty for the same reason. Every other row is its own group. */
function foldRows(rows: readonly TimeRow[], look: CellsLook): RowRun[] {
  const alone = (row: TimeRow): RowRun => ({ rows: [row], reason: null });
  if (look.by !== 'day' || !look.find) return rows.map(alone);
  const runs: RowRun[] = [];
  for (const row of rows) {
    const reason = emptyReason(row, look);
    const run = runs.at(-1);
    if (reason !== null && run?.reason === reason) run.rows.push(row);
    else runs.push({ rows: [row], reason });
  }
  return runs.flatMap((run) => (run.rows.length < FOLDED_FROM ? run.rows.map(alone) : [run]));
}

function emptyReason({ columns }: TimeRow, look: CellsLook): string | null {
  const times = columns.flat();
  if (times.some((time) => look.find?.(time))) return null;
  const reasons = new Set(times.map((time) => outsideName(time, look) ?? 'without readings'));
  return reasons.size === 1 ? at([...reasons], 0) : 'without readings';
}

function FoldedRow({ run: { rows, reason } }: { run: RowRun }) {
  return (
    <tr>
      <td colSpan={at(rows, 0).columns.length + 1} className="text-center">
        {rows.length} months {reason}
      </td>
    </tr>
  );
}

/** Returns the row in which a name has the most cells (the first if several are equal), if the name fits over them. */
function widestRow(rows: readonly TimeRow[], name: OutsideName, look: CellsLook): TimeRow | undefined {
  const isNamed = (times: readonly RowTime[]) => times.some((time) => outsideName(time, look) === name);
  const counts = rows.map(({ columns }) => columns.filter(isNamed).length);
  const most = Math.max(...counts);
  return most >= NAMED_COLUMNS ? rows[counts.indexOf(most)] : undefined;
}

interface CellsLook {
  by: PatternUnit;
  metric: Metric;
  threshold: Threshold | undefined;
  range: ValueRange;
  /** Finds the values of an hour or a day; null while they load. */
  find: CellFinder | null;
  usual: number;
  now: number;
  first: number | null;
  hrefOf(from: number, to: number): string;
}

const OUTSIDE_NAMES = ['before the first reading', 'to come'] as const;
type OutsideName = (typeof OUTSIDE_NAMES)[number];

interface WorstRowProps extends CellsLook {
  row: TimeRow;
  named?: OutsideName;
}

/** A row of hours or days. A component, so that React can respond to input between two rows. */
const WorstRow = memo(function WorstRow({ row, named, ...look }: WorstRowProps) {
  const { by, find, now, hrefOf } = look;
  const said = new Set<OutsideName>();
  const cellOf = (time: RowTime) => {
    const outside = outsideName(time, look);
    if (!outside) return timeCell(time, look);
    // The name appears once and overlaps the following cells. In large letters, it doesn't fit on a phone.
    if (said.has(outside)) return null;
    said.add(outside);
    return (
      <span key={time.from}>
        <span
          className={outside === named ? 'pl-0.5 leading-6 whitespace-nowrap max-[17rem]:sr-only' : 'sr-only'}
        >
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
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have a fixed order.
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

function outsideName({ from, to }: RowTime, { now, first }: CellsLook): OutsideName | null {
  if (from > now) return 'to come';
  return first !== null && to <= first ? 'before the first reading' : null;
}

function timeCell(
  time: RowTime,
  { by, metric, threshold, range, find, usual, hrefOf }: CellsLook,
): ReactNode {
  const values = find?.(time)?.[metric.field];
  if (!values)
    return (
      <span key={time.from} className={EMPTY_LOOK}>
        <span className="sr-only">no readings</span>
      </span>
    );
  const look = cellLook(values.average, threshold, range);
  return (
    // biome-ignore lint/a11y/useAnchorContent: a label saves 744 more elements.
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

/** The day or month of a row, as a link to that time unless it is in the future. */
function WorstRowHead({
  row: { from, to },
  by,
  now,
  hrefOf,
}: {
  row: TimeRow;
  by: PatternUnit;
  now: number;
  hrefOf(from: number, to: number): string;
}) {
  const name = by === 'hour' ? <Day day={new Date(from)} /> : nameMonth(new Date(from));
  return (
    <th scope="row" className="p-0 pr-1 text-left font-normal whitespace-nowrap">
      {from > now ? (
        name
      ) : (
        <a href={hrefOf(from, to)} tabIndex={-1} className="block leading-6 hover:text-ink hover:underline">
          {name}
        </a>
      )}
    </th>
  );
}

function Day({ day }: { day: Date }) {
  return (
    <>
      {weekdayName(day)} {day.getDate()}
      <span className="max-sm:sr-only"> {monthName(day)}</span>
    </>
  );
}

function nameMonth(day: Date): string {
  return `${monthName(day)} ${day.getFullYear()}`;
}
