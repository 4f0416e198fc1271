import { useNavigate } from '@remix-run/react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { measuredSeconds, type PatternAnswer } from '../../../readings/history/history-answer';
import {
  cellFinder,
  describeCell,
  isSparse,
  nameTime,
  type PatternUnit,
  usualCellSeconds,
  worstTime,
} from '../../../readings/history/pattern-cells';
import { daysByHour, monthsByDay, type RowTime } from '../../../readings/history/time-rows';
import type { Metric, Thresholds } from '../../../readings/metric';
import type { Span } from '../../../readings/time/history-span';
import { Card } from '../../card';
import { ShadeLegend, type ValueRange } from './shade';
import { worstWord } from './typical-hours';
import { WorstTable } from './worst-table';

interface WhenWorstProps {
  /** The pattern of `view`; null while it loads, which keeps the space. */
  pattern: PatternAnswer | null;
  /** `hour`: a column per hour and a row per day. `day`: a column per day and a row per month. */
  by: PatternUnit;
  view: Span;
  /** The start of the span in milliseconds since 1970. `view` may start earlier, but no earlier time is called the worst. */
  worstFrom?: number;
  now: number;
  first: number | null;
  metric: Metric;
  thresholds: Thresholds;
  /** Returns the address of a span, in milliseconds since 1970. Passing a new function renders the table again. */
  hrefOf(from: number, to: number): string;
  /** The covered days in words, for the title; null if the page already names them. */
  days?: string | null;
  aside?: ReactNode;
}

/** Future cells are updated this often. In every time zone, hours start at a quarter hour of UTC. */
const QUARTER_MS = 900_000;

/** The worst times: a table of hours or days, coloured by the level of their average. Each cell links to its time. */
export function WhenWorst(props: WhenWorstProps) {
  const { pattern, by, worstFrom = props.view.from, first, metric, hrefOf, days, aside } = props;
  const { from, to } = props.view;
  const threshold = props.thresholds[metric.field];
  const word = worstWord(threshold);
  const now = Math.floor(props.now / QUARTER_MS) * QUARTER_MS;
  const table = useRef<HTMLTableElement>(null);
  const [choice, handlers] = useTableChoice();
  const rows = useMemo(
    () => (by === 'hour' ? daysByHour({ from, to }) : monthsByDay({ from, to })),
    [by, from, to],
  );
  const times = useMemo(() => rows.flatMap(({ columns }) => columns.flat()), [rows]);
  const find = useMemo(() => pattern && cellFinder(pattern.cells), [pattern]);
  const usual = useMemo(() => usualCellSeconds(pattern?.cells ?? [], metric), [pattern, metric]);
  const worst = useMemo(() => {
    const inSpan = times.filter((time) => time.from >= worstFrom);
    return find && worstTime(inSpan, find, metric, usual);
  }, [times, worstFrom, find, metric, usual]);
  const range = useMemo(() => rangeOf(pattern, metric), [pattern, metric]);
  const hasSparse = pattern?.cells.some(({ [metric.field]: values }) => {
    return values && isSparse(measuredSeconds(values), usual);
  });

  const describe = (time: RowTime) => {
    const values = find?.(time)?.[metric.field];
    return values
      ? `${nameTime(time, by)}: ${describeCell(values, metric, threshold, usual)}`
      : nameTime(time, by);
  };
  const content = useMemo(
    () => ({ rows, by, metric, threshold, range, find, usual, now, first, hrefOf }),
    [rows, by, metric, threshold, range, find, usual, now, first, hrefOf],
  );
  // Deferred, so that the page stays responsive: a month has 744 cells, and five years have 1,800.
  const shown = useDeferredValue(content);
  const { onKeyDown, onFocus: moveTabStop } = useTableKeys(table, shown);
  const chosen = times.find((time) => time.from === choice.time);
  const hint = choice.isTouched ? `. Tap again to see this ${by}.` : '';

  return (
    <Card
      title={
        <>
          When it is {word}: {metric.name}
          {days && `, ${days}`}
          <span className="max-sm:hidden">, {by === 'hour' ? 'by day and hour' : 'by month and day'}</span>
        </>
      }
      isLong
      aside={aside}
    >
      {/* Sticky, so that it stays visible above a finger in a long table. */}
      <p className="sticky top-0 z-2 -mt-2 min-h-16 bg-surface pb-1 text-sm text-muted sm:min-h-11 lg:min-h-6">
        {chosen
          ? `${describe(chosen)}${hint}`
          : worst
            ? `${threshold ? 'Worst' : 'Highest'}: ${describe(worst)}`
            : pattern && 'No readings in this span'}
      </p>
      <table
        ref={table}
        data-metric={metric.field}
        className="w-full table-fixed border-separate border-spacing-px text-xs text-muted sm:border-spacing-[3px]"
        {...handlers}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          moveTabStop(event);
          handlers.onFocus(event);
        }}
      >
        <caption className="sr-only">
          The average of {metric.name} in each {by}
        </caption>
        <WorstTable {...shown} />
      </table>
      <ShadeLegend
        {...{ metric, threshold, range, by }}
        hasSparse={hasSparse ?? false}
        hasHint={choice.isTouched}
      />
    </Card>
  );
}

function rangeOf(pattern: PatternAnswer | null, { field }: Metric): ValueRange {
  const averages = pattern?.cells.flatMap(({ [field]: values }) => values?.average ?? []) ?? [];
  return { lowest: Math.min(...averages), highest: Math.max(...averages) };
}

interface TableChoice {
  /** The time of the hovered or focused link, in milliseconds since 1970; null if there is none. */
  time: number | null;
  /** True if a tap has chosen the time. The next tap opens it. */
  isTouched: boolean;
}

const NOTHING: TableChoice = { time: null, isTouched: false };

/** Tracks the hovered or focused link. On a touch screen, the first tap shows a time's value and the second opens it. */
function useTableChoice() {
  const navigate = useNavigate();
  const [choice, setChoice] = useState(NOTHING);
  const isFirstTap = useRef(false);
  const choose = (event: { target: EventTarget }) => {
    const time = timeOf(event);
    setChoice((before) => (before.time === time ? before : { time, isTouched: false }));
  };
  const handlers = {
    onPointerOver: (event: PointerEvent) => event.pointerType !== 'touch' && choose(event),
    onPointerLeave: (event: PointerEvent) => event.pointerType !== 'touch' && setChoice(NOTHING),
    onPointerDown: (event: PointerEvent) => {
      const time = timeOf(event);
      isFirstTap.current = event.pointerType === 'touch' && time !== null && time !== choice.time;
    },
    onFocus: (event: FocusEvent) => choose(event),
    onBlur: () => setChoice(NOTHING),
    onClick: (event: MouseEvent) => {
      const link = linkOf(event);
      if (!link || event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
        return;
      event.preventDefault();
      if (isFirstTap.current) setChoice({ time: timeOf(event), isTouched: true });
      else navigate(link.getAttribute('href') ?? '', { preventScrollReset: true });
      isFirstTap.current = false;
    },
  };
  return [choice, handlers] as const;
}

function linkOf({ target }: { target: EventTarget }): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest('a') : null;
}

function timeOf(event: { target: EventTarget }): number | null {
  const time = linkOf(event)?.dataset.time;
  return time === undefined ? null : Number(time);
}

/**
 * Makes a table's links one tab stop (a roving tabindex), with arrow keys, Home and End to move between them. React renders
 * every link with `tabIndex` -1; the tab stop is set on the DOM element, so that moving it renders nothing.
 *
 * @param content the table's content; a change resets the tab stop if its link is gone
 */
function useTableKeys(table: RefObject<HTMLTableElement>, content: object) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content may have dropped the tab stop's link.
  useEffect(() => {
    if (table.current?.querySelector('a[tabindex="0"]')) return;
    moveTabStop(table.current, table.current?.querySelector('a'));
  }, [table, content]);
  return {
    onFocus: ({ target }: FocusEvent<HTMLTableElement>) => moveTabStop(table.current, target),
    onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = linkOf(event);
      if (!link || !isMove(event.key)) return;
      // Also at the table's edge, where the key would otherwise change the span or scroll the page.
      event.preventDefault();
      event.stopPropagation();
      MOVES[event.key](link)?.focus();
    },
  };
}

function moveTabStop(table: HTMLTableElement | null, link: Element | null | undefined): void {
  table?.querySelector('a[tabindex="0"]')?.setAttribute('tabindex', '-1');
  link?.setAttribute('tabindex', '0');
}

type Move = (link: HTMLAnchorElement) => HTMLAnchorElement | undefined;

const MOVES = {
  ArrowLeft: (link: HTMLAnchorElement) => inRow(link, -1),
  ArrowRight: (link: HTMLAnchorElement) => inRow(link, 1),
  ArrowUp: (link: HTMLAnchorElement) => inColumn(link, 'previousElementSibling'),
  ArrowDown: (link: HTMLAnchorElement) => inColumn(link, 'nextElementSibling'),
  Home: (link: HTMLAnchorElement) => linksOf(link.closest('tr'))[0],
  End: (link: HTMLAnchorElement) => linksOf(link.closest('tr')).at(-1),
} satisfies Record<string, Move>;

function isMove(key: string): key is keyof typeof MOVES {
  return key in MOVES;
}

function linksOf(element: Element | null): HTMLAnchorElement[] {
  return [...(element?.querySelectorAll('a') ?? [])];
}

function inRow(link: HTMLAnchorElement, step: number): HTMLAnchorElement | undefined {
  const links = linksOf(link.closest('tr'));
  return links[links.indexOf(link) + step];
}

function inColumn(
  link: HTMLAnchorElement,
  sibling: 'previousElementSibling' | 'nextElementSibling',
): HTMLAnchorElement | undefined {
  const cell = link.closest<HTMLTableCellElement>('td, th');
  const place = linksOf(cell).indexOf(link);
  let row = cell?.parentElement?.[sibling];
  for (; row; row = row[sibling]) {
    const links = row instanceof HTMLTableRowElement ? linksOf(row.cells[cell?.cellIndex ?? 0] ?? null) : [];
    const next = links[place] ?? links[0];
    if (next) return next;
  }
}
