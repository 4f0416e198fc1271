import { Link } from '@remix-run/react';
import {
  type AskedSpan,
  dateOf,
  isLastDays,
  LAST_DAYS,
  type Span,
  type SpanContext,
  whyEmpty,
} from '../../readings/time/history-span';
import { formatDay } from '../../readings/time/local-day';
import { withSpan } from '../../readings/time/span-address';

interface SpanMessageProps {
  asked: AskedSpan;
  span: Span;
  context: SpanContext;
  /** The page's query. */
  search: string;
}

/** Says why a span has no readings, and leads to some. */
export function SpanMessage({ asked, span, context, search }: SpanMessageProps) {
  const { now, first, last } = context;
  if (first === null)
    return (
      <>
        No readings yet.{' '}
        <Link to="/postdata" className="text-accent underline">
          Post the first one
        </Link>
        .
      </>
    );
  switch (whyEmpty(span, context)) {
    case 'future':
      return <>This is in the future.</>;
    case 'before':
      return (
        <>
          The first reading is from <DayLink time={first} {...{ now, search }} />.
        </>
      );
    case null:
      return (
        <>
          No readings {nameSpan(asked)}.{' '}
          {last !== null && last < span.from && (
            <>
              The newest is from <DayLink time={last} {...{ now, search }} />.
            </>
          )}
        </>
      );
  }
}

function nameSpan(asked: AskedSpan): string {
  if (asked.name === 'all' || asked.name === 'part') return 'in this time';
  if (isLastDays(asked)) return `in these ${LAST_DAYS[asked.name]} days`;
  return asked.name === 'day' ? 'on this day' : `in this ${asked.name}`;
}

/** The day of a time, which leads there. */
function DayLink({ time, now, search }: { time: number; now: number; search: string }) {
  return (
    <Link
      to={{ search: withSpan(search, { name: 'day', date: dateOf(time) }) }}
      preventScrollReset
      className="text-accent underline"
    >
      {formatDay(new Date(time), new Date(now))}
    </Link>
  );
}
