import { useId } from 'react';
import { formatAverage, formatShort, formatValue } from '../../../readings/format/format-value';
import type { MetricSummary, SpanValues, SummaryAnswer } from '../../../readings/history/history-answer';
import type { Threshold, Thresholds } from '../../../readings/level/level';
import { METRICS, type Metric, NOT_MEASURED } from '../../../readings/metric';
import { type Span, type SpanLimits, whyEmpty } from '../../../readings/time/history-span';
import { LevelBar, LevelBarPatterns } from './level-bar';
import { formatTimeIn, limitsExceeded, nameOutside, timeParts } from './time-in-level';
import { TimeKey } from './time-key';

interface SpanNumbersProps {
  /** The numbers of `view`; null until they are there, which keeps their room. */
  summary: SummaryAnswer | null;
  /** In milliseconds since 1970. */
  view: Span;
  /** The viewer's clock in milliseconds since 1970. */
  now: number;
  /** The time of the first reading; null if there is none. */
  first: number | null;
  thresholds: Thresholds;
}

/** The numbers of a span, a card for each metric: lowest, average, highest, and the time at each level. */
export function SpanNumbers({ summary, ...rest }: SpanNumbersProps) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <LevelBarPatterns />
      {METRICS.map((metric) => (
        <MetricNumbers
          key={metric.field}
          metric={metric}
          summary={summary?.[metric.field] ?? null}
          absence={summary && absenceOf(summary, rest)}
          threshold={rest.thresholds[metric.field]}
          {...rest}
        />
      ))}
    </div>
  );
}

const NO_READINGS = { future: 'to come', before: 'before the first reading', other: 'no readings' };

/** Says why a metric has no numbers. */
function absenceOf({ readings }: SummaryAnswer, { view, ...context }: SpanLimits & { view: Span }): string {
  return readings > 0 ? NOT_MEASURED : NO_READINGS[whyEmpty(view, context) ?? 'other'];
}

interface MetricNumbersProps extends Omit<SpanNumbersProps, 'summary' | 'thresholds'> {
  metric: Metric;
  summary: MetricSummary | null;
  absence: string | null;
  threshold: Threshold;
}

function MetricNumbers({ metric, summary, absence, threshold, view, ...context }: MetricNumbersProps) {
  const title = useId();
  const timeOf = (time: string) => formatTimeIn(view, time, context.now);
  const parts = summary ? timeParts(summary, view, context) : [];
  return (
    <section
      aria-labelledby={title}
      aria-busy={!summary && !absence}
      className="flex min-h-47 min-w-0 flex-col gap-2.5 rounded-2xl border border-line bg-surface p-3.5 sm:px-5 sm:py-4"
    >
      <h2 id={title} className="text-[0.9375rem] font-semibold">
        {metric.name} <span className="font-normal text-muted">{metric.unit}</span>
      </h2>
      {absence && !summary ? (
        <p className="my-auto pb-6 text-center text-muted">{absence}</p>
      ) : (
        <>
          {summary?.lowest === null ? (
            <p className="my-auto text-center text-muted">{NO_READINGS.other}</p>
          ) : (
            <Figures {...{ summary, threshold, timeOf }} />
          )}
          <LevelBar parts={parts} />
          <TimeKey parts={parts} others={summary ? nameOutside(view, context) : []} />
          <ul className="min-h-20 text-sm text-pretty text-muted sm:min-h-10">
            {summary &&
              limitsExceeded(summary, metric, threshold, timeOf).map((text) => <li key={text}>{text}</li>)}
          </ul>
        </>
      )}
    </section>
  );
}

/** A phone has room for three values of this many characters. */
const ROOM = 10;

interface FiguresProps {
  /** Null until they are known. */
  summary: SpanValues | null;
  threshold: Threshold;
  timeOf(time: string): string;
}

/** The lowest, average and highest value, in one size. All are short if one of them is longer than its room. */
function Figures({ summary, threshold, timeOf }: FiguresProps) {
  const figures = [
    { name: 'lowest', value: summary && formatValue(summary.lowest, threshold), time: summary?.lowest_at },
    { name: 'average', value: summary && formatAverage(summary.average, threshold, summary) },
    { name: 'highest', value: summary && formatValue(summary.highest, threshold), time: summary?.highest_at },
  ];
  const length = Math.max(...figures.map(({ value }) => value?.length ?? 0));
  return (
    <dl className="grid grid-cols-3 gap-x-3 sm:flex sm:gap-x-7">
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

/** @param length of the longest value, in characters */
function sizeOf(length: number): string {
  if (length > 7) return 'text-sm/8 min-[24rem]:text-base/8';
  return length > 6 ? 'text-lg/8 min-[24rem]:text-2xl/8' : 'text-2xl/8';
}
