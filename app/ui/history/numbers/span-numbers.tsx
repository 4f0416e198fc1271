import { useId } from 'react';
import { at } from '../../../readings/at';
import { changesValues } from '../../../readings/correction';
import { formatAverage, formatBeside, formatShort, formatValue } from '../../../readings/format/format-value';
import {
  type LevelSummary,
  levelSecondsOf,
  type MetricSummary,
  type SpanValues,
  type SummaryAnswer,
} from '../../../readings/history/history-answer';
import { outsideText } from '../../../readings/history/pattern-cells';
import {
  type Metric,
  NOT_MEASURED,
  shownMetrics,
  type Threshold,
  type Thresholds,
} from '../../../readings/metric';
import { faultyValues, type Reading } from '../../../readings/reading';
import { type Span, type SpanLimits, whyEmpty } from '../../../readings/time/history-span';
import { FAULT_TITLE, FORCED_FILL } from '../../level-look';
import { useCorrections, useMetrics } from '../../page-contexts';
import {
  barShares,
  formatTimeIn,
  nameOutside,
  namePart,
  type TimePart,
  thresholdsExceeded,
  timeParts,
} from './time-in-level';

interface SpanNumbersProps {
  /** The summary of `view`; null while it loads, which keeps the space. */
  summary: SummaryAnswer | null;
  /** The sensor's newest readings, whose metrics have cards while the summary loads and in a span without readings. */
  newest: readonly Reading[];
  view: Span;
  now: number;
  first: number | null;
  thresholds: Thresholds;
}

/** A span's numbers, one card per metric: lowest, average, highest, and the time in each level. */
export function SpanNumbers({ summary, newest, ...rest }: SpanNumbersProps) {
  const metrics = useMetrics();
  const faulty = newest.map(faultyValues);
  const rows = summary && summary.readings > 0 ? [summary, ...faulty] : newest;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <LevelBarPatterns />
      {shownMetrics(rows, metrics).map((metric) => (
        <MetricNumbers
          key={metric.field}
          metric={metric}
          summary={summary?.[metric.field] ?? null}
          absence={
            summary &&
            absenceOf(
              summary,
              faulty.some((values) => (values[metric.field] ?? null) !== null),
              rest,
            )
          }
          threshold={rest.thresholds[metric.field]}
          {...rest}
        />
      ))}
    </div>
  );
}

const NO_READINGS = { future: 'to come', before: 'before the first reading', other: 'no readings' };

function absenceOf(
  { readings }: SummaryAnswer,
  isFaulty: boolean,
  { view, ...context }: SpanLimits & { view: Span },
): string {
  if (readings > 0) return isFaulty ? FAULT_TITLE : NOT_MEASURED;
  return NO_READINGS[whyEmpty(view, context) ?? 'other'];
}

interface MetricNumbersProps extends Omit<SpanNumbersProps, 'summary' | 'newest' | 'thresholds'> {
  metric: Metric;
  summary: MetricSummary | null;
  absence: string | null;
  threshold: Threshold | undefined;
}

function MetricNumbers({ metric, summary, absence, threshold, view, ...context }: MetricNumbersProps) {
  const title = useId();
  const isCorrected = useCorrections().some(
    (one) => one.metric === metric.field && changesValues(one) && Date.parse(one.from) < view.to,
  );
  const timeOf = (time: string) => formatTimeIn(view, time, context.now);
  const levels = summary && levelSecondsOf<LevelSummary>(summary);
  const parts = summary ? timeParts(levels, view, context) : [];
  return (
    <section
      aria-labelledby={title}
      aria-busy={!summary && !absence}
      className={`flex min-w-0 flex-col gap-2.5 rounded-2xl border border-line bg-surface p-3.5 sm:px-5 sm:py-4 ${threshold ? 'min-h-47' : ''}`}
    >
      <h2 id={title} className="text-[0.9375rem] font-semibold">
        {/* In a text of its own, Chromium doesn't read the space: "CO2PPM". */}
        {`${metric.name} `}
        <span className="font-normal text-muted">
          {[metric.unit, isCorrected && 'corrected'].filter(Boolean).join(', ')}
        </span>
      </h2>
      {absence && !summary ? (
        <p className="my-auto pb-6 text-center text-muted">{absence}</p>
      ) : (
        <>
          {summary?.lowest === null ? (
            <p className="my-auto text-center text-muted">{NO_READINGS.other}</p>
          ) : (
            <Figures {...{ summary, metric, threshold, timeOf }} />
          )}
          {threshold ? (
            <>
              <LevelBar parts={parts} />
              <TimeKey parts={parts} others={summary ? nameOutside(view, context) : []} />
              <ul className="min-h-20 text-sm text-pretty text-muted sm:min-h-10">
                {levels &&
                  thresholdsExceeded(levels, metric, threshold, timeOf).map((text) => (
                    <li key={text}>{text}</li>
                  ))}
              </ul>
            </>
          ) : (
            <p className="text-sm text-muted">{summary && outsideText(summary, metric)}</p>
          )}
        </>
      )}
    </section>
  );
}

/** The maximum characters of a value. A phone has room for three such values. */
const ROOM = 10;

/** The lowest, average and highest value in one font size. If one is too long, all are shortened. */
function Figures({
  summary,
  metric,
  threshold,
  timeOf,
}: {
  summary: SpanValues | null;
  metric: Metric;
  threshold: Threshold | undefined;
  timeOf(time: string): string;
}) {
  const format = (value: number) =>
    threshold ? formatBeside(value, threshold, metric) : formatValue(value, undefined, metric);
  const figures = [
    { name: 'lowest', value: summary && format(summary.lowest), time: summary?.lowest_at },
    { name: 'average', value: summary && formatAverage(summary.average, threshold, summary, metric) },
    { name: 'highest', value: summary && format(summary.highest), time: summary?.highest_at },
  ];
  const length = Math.max(...figures.map(({ value }) => value?.length ?? 0));
  return (
    // Three columns on any phone, but fewer for large letters.
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-x-3 sm:flex sm:gap-x-7">
      {figures.map(({ name, value, time }) => (
        <div key={name} className="flex min-w-0 flex-col-reverse justify-end">
          <dt className="min-h-10 text-[0.8125rem] text-muted sm:min-h-5">
            {name}
            {time && (
              <>
                , <span className="inline-block">{timeOf(time)}</span>
              </>
            )}
          </dt>
          <dd className={`font-bold ${sizeOf(length)}`}>
            {value === null ? (
              <span className="text-muted">–</span>
            ) : length > ROOM ? (
              formatShort(Number(value))
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function sizeOf(length: number): string {
  if (length > 7) return 'text-sm/8 min-[24rem]:text-base/8';
  return length > 6 ? 'text-lg/8 min-[24rem]:text-2xl/8' : 'text-2xl/8';
}

const LOOKS: Record<TimePart['kind'], string> = {
  good: `bg-good-ink ${FORCED_FILL.good}`,
  moderate: `bg-moderate-ink ${FORCED_FILL.moderate}`,
  poor: `bg-poor-ink ${FORCED_FILL.poor}`,
  without:
    'border border-muted/45 bg-[repeating-linear-gradient(135deg,var(--line)_0_2px,var(--surface)_2px_5px)] forced-color-adjust-none forced-colors:border-[CanvasText] forced-colors:bg-[radial-gradient(CanvasText_1px,Canvas_1.5px)]',
};

function TimeKey({ parts, others }: { parts: readonly TimePart[]; others: readonly string[] }) {
  return (
    <ul className="flex min-h-15 flex-wrap content-start gap-x-4 text-[0.8125rem] text-muted sm:min-h-5">
      {parts.map((part) => (
        <li key={part.kind} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2.5 flex-none rounded-[3px] ${LOOKS[part.kind]}`} />
          {namePart(part)}
        </li>
      ))}
      {others.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

/** With forced colours, parts are empty, striped, full or dotted, by the patterns below. */
const FILLS: Record<TimePart['kind'], string> = {
  good: 'fill-good-ink forced-colors:fill-[Canvas]',
  moderate: 'fill-moderate-ink forced-colors:fill-[url(#time-stripes)]',
  poor: 'fill-poor-ink forced-colors:fill-[CanvasText]',
  without: 'fill-[url(#time-without)] forced-colors:fill-[url(#time-dots)]',
};

/** A bar for the time in each level and without readings. Hidden from screen readers, because the list below has the same data. */
function LevelBar({ parts }: { parts: readonly TimePart[] }) {
  const shares = barShares(parts);
  let before = 0;
  return (
    // An SVG, because the Content-Security-Policy forbids inline styles but allows SVG attributes.
    <svg
      aria-hidden="true"
      width="100%"
      height="12"
      className="h-3 w-full rounded-full bg-canvas forced-color-adjust-none forced-colors:border forced-colors:border-[CanvasText]"
    >
      {parts.map(({ kind }, i) => {
        const start = before;
        before += at(shares, i);
        return (
          <g key={kind}>
            <rect
              data-part={kind}
              x={percent(start)}
              width={percent(at(shares, i))}
              height="100%"
              className={FILLS[kind]}
            />
            {start > 0 && (
              <line
                x1={percent(start)}
                x2={percent(start)}
                y2="100%"
                className="stroke-surface stroke-2 forced-colors:stroke-[CanvasText] forced-colors:stroke-1"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/** The SVG patterns for level bars. Render it once on a page with bars. */
function LevelBarPatterns() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <pattern
        id="time-without"
        width="7"
        height="7"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="7" height="7" className="fill-surface" />
        <rect width="2" height="7" className="fill-muted" fillOpacity={0.45} />
      </pattern>
      <pattern
        id="time-stripes"
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="2" height="6" className="fill-[CanvasText]" />
      </pattern>
      <pattern id="time-dots" width="6" height="6" patternUnits="userSpaceOnUse">
        <circle cx="3" cy="3" r="1" className="fill-[CanvasText]" />
      </pattern>
    </svg>
  );
}
