import type { PatternUnit } from '../../../readings/history/pattern-cells';
import { monthName, weekdayName } from '../../../readings/time/local-day';
import type { TimeRow } from '../../../readings/time/time-rows';

interface WorstRowHeadProps {
  row: TimeRow;
  by: PatternUnit;
  /** Milliseconds since 1970. */
  now: number;
  hrefOf(from: number, to: number): string;
}

/** The day or the month of a row. It is a link to that time, unless it is still to come. */
export function WorstRowHead({ row: { from, to }, by, now, hrefOf }: WorstRowHeadProps) {
  const name = by === 'hour' ? <Day day={new Date(from)} /> : nameMonth(new Date(from));
  return (
    <th scope="row" className="p-0 pr-1 text-left font-normal whitespace-nowrap">
      {from > now ? (
        name
      ) : (
        <a href={hrefOf(from, to)} tabIndex={-1} className="hover:text-ink hover:underline">
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
