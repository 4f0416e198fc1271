import { memo } from 'react';
import { at } from '../../../readings/at';
import type { PatternUnit } from '../../../readings/history/pattern-cells';
import type { RowTime, TimeRow } from '../../../readings/time/time-rows';
import { type CellsLook, OUTSIDE_NAMES, type OutsideName, outsideName, WorstRow } from './worst-row';

export interface WorstTableProps extends CellsLook {
  rows: readonly TimeRow[];
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

/** Words over cells that can't have readings need this many columns. */
const NAMED_COLUMNS = 12;

/**
 * The hours of days, or the days of months, with a link for each that has readings. A month has 744 of them, so they are
 * elements without handlers or components: the table around them handles their events.
 */
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
          const row = at(run, 0);
          if (run.length > 1)
            return <FoldedRow key={row.from} count={run.length} columns={row.columns.length} />;
          return (
            <WorstRow key={row.from} row={row} named={named.find((one) => one.row === row)?.name} {...look} />
          );
        })}
      </tbody>
    </>
  );
});

/** Runs of at least this many months without readings are one row. */
const FOLDED_FROM = 3;

/** Groups rows: each alone, but months that follow each other without readings. */
export function foldRows(rows: readonly TimeRow[], { by, find }: CellsLook): TimeRow[][] {
  if (by !== 'day' || !find) return rows.map((row) => [row]);
  const isEmpty = ({ columns }: TimeRow) => !columns.some((times) => times.some(find));
  const runs: TimeRow[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run && isEmpty(row) && isEmpty(at(run, 0))) run.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((run) => (run.length < FOLDED_FROM ? run.map((row) => [row]) : [run]));
}

function FoldedRow({ count, columns }: { count: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns + 1} className="text-center">
        {count} months without readings
      </td>
    </tr>
  );
}

/** Returns the row with the most times of a name, the first of several, if the name fits over their cells. */
function widestRow(rows: readonly TimeRow[], name: OutsideName, look: CellsLook): TimeRow | undefined {
  const isNamed = (times: readonly RowTime[]) => times.some((time) => outsideName(time, look) === name);
  const counts = rows.map(({ columns }) => columns.filter(isNamed).length);
  const most = Math.max(...counts);
  return most >= NAMED_COLUMNS ? rows[counts.indexOf(most)] : undefined;
}
