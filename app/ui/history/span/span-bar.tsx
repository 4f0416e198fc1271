import { Link } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { atBase } from '../../../base-path';
import { MINUTE_MS } from '../../../readings/time/durations';
import {
  type AskedSpan,
  asUnit,
  CALENDAR_UNITS,
  comparedUnit,
  dateOf,
  type Span,
  type SpanContext,
} from '../../../readings/time/history-span';
import { formatTime, withSpan } from '../../../readings/time/span-address';
import { Button, SEGMENT_FRAME, segmentLook } from '../../controls';
import { spanTitle } from './span-title';
import type { ShownSpan } from './use-span';

interface SpanBarProps {
  shown: ShownSpan;
  context: SpanContext | null;
  /** The comparison with an earlier time, if the page offers one. */
  comparison?: { isCompared: boolean; compare(isCompared: boolean): void };
  /** Returns the address of a span's CSV file. */
  csv(span: Span): string;
}

/** The controls of `/history`: earlier and later, the date, the span's length, and the comparison. */
export function SpanBar({ shown, context, comparison, csv }: SpanBarProps) {
  const { asked, span, inView, earlier, later, present, go } = shown;
  const isReady = context !== null && span !== null;
  const unit = comparedUnit(inView);
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <div className="flex w-full min-w-0 items-center gap-2 sm:w-auto">
        <Button
          aria-label="Earlier"
          id={EARLIER}
          {...unavailable(!earlier, isReady)}
          onClick={() => earlier && go(earlier)}
          className="w-11 shrink-0 px-0 disabled:text-muted aria-disabled:cursor-not-allowed aria-disabled:text-muted"
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
          {...unavailable(!later, isReady)}
          onClick={() => later && go(later)}
          className="w-11 shrink-0 px-0 disabled:text-muted aria-disabled:cursor-not-allowed aria-disabled:text-muted"
        >
          ›
        </Button>
      </div>
      <SpanLinks inView={inView} search={shown.search} now={context?.now ?? null} />
      <div className="flex w-full flex-wrap items-center justify-between gap-2 sm:w-auto">
        {comparison && (
          <Button
            look="quiet"
            aria-pressed={comparison.isCompared}
            disabled={!isReady || unit === null}
            onClick={() => comparison.compare(!comparison.isCompared)}
            className="-ml-2 whitespace-nowrap aria-pressed:border-muted/75 aria-pressed:text-ink sm:ml-0 sm:min-w-40"
          >
            Compare{unit && `: ${unit} before`}
          </Button>
        )}
        <Button
          onClick={() => {
            if (!present) return;
            go(present);
            // The button is about to disappear.
            document.getElementById(EARLIER)?.focus({ preventScroll: true });
          }}
          look="quiet"
          // Invisible rather than absent, so that the other buttons don't move.
          className={`sm:order-first ${present ? '' : 'invisible'}`}
        >
          Now
        </Button>
        <a
          href={isReady ? atBase(csv(span)) : undefined}
          download
          className="flex min-h-11 items-center rounded-[0.625rem] border border-line px-4 font-semibold whitespace-nowrap hover:border-accent"
        >
          <span className="max-[26rem]:sr-only">Download&nbsp;</span>CSV
        </a>
      </div>
    </div>
  );
}

const EARLIER = 'earlier';

/**
 * Returns the attributes of a button that can't be used now. It keeps the focus, which a disabled one would lose when
 * its last use reaches the present.
 */
function unavailable(isUnavailable: boolean, isReady: boolean) {
  return isReady ? { 'aria-disabled': isUnavailable } : { disabled: true };
}

/** Links to the day, week, month and year in view, and to all readings. */
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

/** Returns the address of a sensor's readings as CSV. */
export function csvAddress(sensor: string, { from, to }: Span): string {
  const query = { format: 'csv', sensor, from: withOffset(from), to: withOffset(to) };
  return `/api/data?${new URLSearchParams(query)}`;
}

/** Formats a time with the viewer's offset from UTC, in which the server then names the file's days. */
function withOffset(ms: number): string {
  const minutes = -Math.round(new Date(ms).getTimezoneOffset());
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const local = formatTime(ms + minutes * MINUTE_MS).replace('Z', '');
  return `${local}${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** Returns the date field's value. Empty for all readings and the last days: choosing the same value again triggers no event. */
function dateIn(asked: AskedSpan, now: number): string {
  if (asked.name === 'all') return '';
  if (asked.name === 'part') return dateOf(asked.from);
  return asked.date ?? (asked.name === 'day' ? dateOf(now) : '');
}

interface DateFieldProps {
  /** The span in words, which the field shows until it has the focus. */
  title: string;
  /** The field's value, such as `2026-11-21`; empty for all readings. */
  date: string;
  max: string;
  /** @param isFurther true if the viewer has already chosen a date since focusing the field */
  onChoose(date: string, isFurther: boolean): void;
}

const LONG = 18;

/** The browser's date field. Looks like a button with the shown span until it has the focus. */
export function DateField({ title, date, max, onChoose }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const hasChosen = useRef(false);
  useEffect(() => {
    // Setting the same value again would move the cursor.
    if (input.current && input.current.value !== date) input.current.value = date;
  }, [date]);
  return (
    <label className="relative flex min-h-11 min-w-0 flex-1 items-center justify-center rounded-[0.625rem] border border-line px-2 font-semibold focus-within:border-transparent hover:border-accent sm:w-48 sm:flex-none">
      <span className="sr-only">Date</span>
      {/* A long title gets a smaller font and two lines, so that the field keeps its size. */}
      <span
        aria-hidden="true"
        className={`text-center text-balance ${title.length > LONG ? 'text-sm/4' : ''}`}
      >
        {title} <span className="text-muted print:hidden">▾</span>
      </span>
      <input
        ref={input}
        type="date"
        min="2000-01-01"
        max={max}
        defaultValue={date}
        onClick={() => openPicker(input.current)}
        onBlur={({ target }) => {
          hasChosen.current = false;
          target.value = date;
        }}
        onChange={({ target }) => {
          // Ignores incomplete years such as 0002, because the viewer types them digit by digit.
          if (!target.value || !target.validity.valid) return;
          onChoose(target.value, hasChosen.current);
          hasChosen.current = true;
        }}
        className="absolute inset-0 w-full cursor-pointer rounded-[0.625rem] bg-surface px-3 opacity-0 focus:opacity-100"
      />
    </label>
  );
}

function openPicker(input: HTMLInputElement | null): void {
  try {
    input?.showPicker();
  } catch {
    // Browsers refuse this in another site's frame. The viewer can still type a date.
  }
}
