import { Link } from '@remix-run/react';
import {
  type AskedSpan,
  dateOf,
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

const WHERE = { day: 'on this day', week: 'in this week', month: 'in this month', year: 'in this year' };

/** Says why a span has no readings, and leads to some. */
export function SpanMessage({ asked, span, context, search }: SpanMessageProps) {
  const { now, first } = context;
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
          The first reading is from{' '}
          <Link
            to={{ search: withSpan(search, { name: 'day', date: dateOf(first) }) }}
            preventScrollReset
            className="text-accent underline"
          >
            {formatDay(new Date(first), new Date(now))}
          </Link>
          .
        </>
      );
    case null:
      return (
        <>No readings {asked.name in WHERE ? WHERE[asked.name as keyof typeof WHERE] : 'in this time'}.</>
      );
  }
}
