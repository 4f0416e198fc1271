import { Link } from '@remix-run/react';
import {
  type AskedSpan,
  asUnit,
  CALENDAR_UNITS,
  comparedUnit,
  dateOf,
  type SpanContext,
} from '../../../readings/time/history-span';
import { formatTime, withSpan } from '../../../readings/time/span-address';
import { Button } from '../../button';
import { SEGMENT_FRAME, segmentLook } from '../../chart/draw/segment-look';
import { DateField } from './date-field';
import { spanTitle } from './span-title';
import type { ShownSpan } from './use-span';

interface SpanBarProps {
  shown: ShownSpan;
  /** Null until the viewer's time zone is known. */
  context: SpanContext | null;
  sensor: string;
  isCompared: boolean;
  compare(isCompared: boolean): void;
}

/** Everything that chooses what is shown: earlier and later, the date, the length of the span, a comparison. */
export function SpanBar({ shown, context, sensor, isCompared, compare }: SpanBarProps) {
  const { asked, span, inView, earlier, later, present, go } = shown;
  const isReady = context !== null && span !== null;
  const unit = comparedUnit(inView);
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <div className="flex w-full min-w-0 items-center gap-2 sm:w-auto">
        <Button
          aria-label="Earlier"
          disabled={!earlier}
          onClick={() => earlier && go(earlier)}
          className="w-11 shrink-0 px-0 disabled:text-muted"
        >
          ‹
        </Button>
        <DateField
          title={isReady ? spanTitle(inView, span, new Date(context.now)) : ''}
          date={context ? dateIn(inView, context.now) : ''}
          max={context ? dateOf(context.now) : ''}
          onChoose={(date, isFurther) =>
            go({ name: asked.name === 'all' || asked.name === 'part' ? 'day' : asked.name, date }, isFurther)
          }
        />
        <Button
          aria-label="Later"
          disabled={!later}
          onClick={() => later && go(later)}
          className="w-11 shrink-0 px-0 disabled:text-muted"
        >
          ›
        </Button>
      </div>
      <SpanLinks inView={inView} search={shown.search} now={context?.now ?? null} />
      <div className="flex w-full items-center justify-between gap-2 sm:w-auto">
        <Button
          look="quiet"
          aria-pressed={isCompared}
          disabled={!isReady || unit === null}
          onClick={() => compare(!isCompared)}
          className="-ml-2 whitespace-nowrap aria-pressed:border-muted/75 aria-pressed:text-ink sm:ml-0 sm:min-w-40"
        >
          Compare{unit && `: ${unit} before`}
        </Button>
        <Button
          onClick={() => present && go(present)}
          look="quiet"
          // Its place is kept, so that the other buttons stay where they are.
          className={`sm:order-first ${present ? '' : 'invisible'}`}
        >
          Now
        </Button>
        <a
          href={isReady ? csvAddress(sensor, span) : undefined}
          download
          className="flex min-h-11 items-center rounded-[0.625rem] border border-line px-4 font-semibold whitespace-nowrap hover:border-accent"
        >
          <span className="max-[26rem]:sr-only">Download&nbsp;</span>CSV
        </a>
      </div>
    </div>
  );
}

/** Links to the day, week, month and year in view, and to all readings. They look like the dashboard's range buttons. */
function SpanLinks({ inView, search, now }: Pick<ShownSpan, 'inView' | 'search'> & { now: number | null }) {
  const spans: AskedSpan[] = [
    ...CALENDAR_UNITS.map((name) => (now === null ? { name, date: null } : asUnit(inView, name, now))),
    { name: 'all' },
  ];
  return (
    <nav aria-label="Span" className={`${SEGMENT_FRAME} grid-cols-5`}>
      {spans.map((span) => (
        <Link
          key={span.name}
          to={{ search: withSpan(search, span) }}
          preventScrollReset
          discover="none"
          aria-current={span.name === inView.name ? 'page' : undefined}
          className={`${segmentLook(span.name === inView.name)} capitalize`}
        >
          {span.name}
        </Link>
      ))}
    </nav>
  );
}

/** Returns the address of the readings of exactly this span, as CSV. */
function csvAddress(sensor: string, { from, to }: { from: number; to: number }): string {
  const query = { format: 'csv', sensor, from: formatTime(from), to: formatTime(to) };
  return `/api/data?${new URLSearchParams(query)}`;
}

/** Returns the date that the date field has. With one, choosing the same date again would change nothing. */
function dateIn(asked: AskedSpan, now: number): string {
  if (asked.name === 'all') return '';
  if (asked.name === 'part') return dateOf(asked.from);
  return asked.date ?? (asked.name === 'day' ? dateOf(now) : '');
}
