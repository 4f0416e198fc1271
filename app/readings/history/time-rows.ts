import { HOUR_MS } from '../time/durations';
import { type Span, unitAround } from '../time/history-span';

/** A local hour or day. */
export interface RowTime extends Span {
  /** Distinguishes the two hours if the clocks repeat one. */
  turn?: 'first' | 'second';
}

/** A row of a time table: a local day with its hours, or a local month with its days. */
export interface TimeRow extends Span {
  /**
   * The times in each column. An hour has no time if the clocks skip it, and two if they repeat it. Columns outside the table's
   * span, or for 30 February, are empty.
   */
  columns: RowTime[][];
}

/** Returns the local days that overlap a span, each with 24 columns for its hours. */
export function daysByHour(span: Span): TimeRow[] {
  return daysOf(span).map((day) => {
    const columns = emptyColumns(24);
    for (const hour of hoursOf(day)) {
      if (overlaps(hour, span)) columns[new Date(hour.from).getHours()]?.push(hour);
    }
    return { ...day, columns: columns.map(withTurns) };
  });
}

function withTurns(times: RowTime[]): RowTime[] {
  return times.length < 2 ? times : times.map((time, i) => ({ ...time, turn: i === 0 ? 'first' : 'second' }));
}

/** Returns the local months that overlap a span, each with 31 columns for its days. */
export function monthsByDay(span: Span): TimeRow[] {
  const rows: TimeRow[] = [];
  for (const day of daysOf(span)) {
    const start = new Date(day.from);
    let row = rows.at(-1);
    if (!row || day.from >= row.to) {
      row = { ...unitAround('month', start), columns: emptyColumns(31) };
      rows.push(row);
    }
    row.columns[start.getDate() - 1]?.push(day);
  }
  return rows;
}

function emptyColumns(length: number): RowTime[][] {
  return Array.from({ length }, () => []);
}

function overlaps(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Returns the local days that overlap a span. Each has 23 to 25 hours. */
function daysOf({ from, to }: Span): Span[] {
  const days: Span[] = [];
  for (let start = from; start < to; ) {
    const day = unitAround('day', new Date(start));
    days.push(day);
    start = day.to;
  }
  return days;
}

function hoursOf(day: Span): Span[] {
  const hours: Span[] = [];
  for (let from = day.from; from < day.to; ) {
    const to = Math.min(endOfHour(from), day.to);
    hours.push({ from, to });
    from = to;
  }
  return hours;
}

/** Returns the next full hour of the local clock, or the time at which the clocks change before that. */
function endOfHour(from: number): number {
  const time = new Date(from);
  const past = (time.getMinutes() * 60 + time.getSeconds()) * 1000 + time.getMilliseconds();
  const fullHour = from + HOUR_MS - past;
  const offset = time.getTimezoneOffset();
  const isBeforeChange = (ms: number) => new Date(ms).getTimezoneOffset() === offset;
  if (isBeforeChange(fullHour - 1)) return fullHour;
  let [before, after] = [from, fullHour - 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isBeforeChange(middle)) before = middle;
    else after = middle;
  }
  return after;
}
