import { type PointerEvent, useMemo, useState } from 'react';
import { at } from '../../../readings/at';
import { fitValue, formatAverage, nameWithUnit, shownValue } from '../../../readings/format/format-value';
import type { PatternAnswer } from '../../../readings/history/history-answer';
import { onlyMeasured } from '../../../readings/history/pattern-cells';
import { LEVELS, type Level, levelOf } from '../../../readings/level/level';
import type { Metric, MetricField, Threshold, Thresholds } from '../../../readings/metric';
import { Card } from '../../card';
import { type Axis, axisScale, drawable, formatTick } from '../../chart/axis-scale';
import {
  describeHour,
  nameHour,
  type TypicalHour,
  typicalHours,
  USUAL_DAYS,
  unbroken,
  worstHour,
  worstWord,
} from './typical-hours';

interface TypicalDayProps {
  pattern: PatternAnswer | null;
  metric: Metric;
  thresholds: Thresholds;
  /** The covered days in words, for the title; null if the page already names them. */
  days?: string | null;
}

function whyNoWorst(hours: readonly TypicalHour[], worst: string): string {
  if (hours.length === 0) return 'No readings in this span';
  return `Too few days to say when it is usually ${worst}: that takes ${USUAL_DAYS} with readings at the same hour`;
}

/** The typical day: the median and the middle 50 % of each hour's averages. */
export function TypicalDay({ pattern, metric, thresholds, days }: TypicalDayProps) {
  const threshold = thresholds[metric.field];
  const hours = useMemo(() => (pattern ? typicalHours(pattern, metric) : []), [pattern, metric]);
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const worst = worstHour(hours);
  const chosen = hours.find(({ hour }) => hour === pointedAt);
  const describe = (hour: TypicalHour) => `${nameHour(hour.hour)}, ${describeHour(hour, metric, threshold)}`;
  const word = worstWord(threshold);
  const summary = worst ? `Usually ${word} at ${describe(worst)}` : pattern && whyNoWorst(hours, word);

  return (
    <Card
      title={`The typical day: ${metric.name}${days ? `, ${days}` : ''}`}
      note={<p className="min-h-10 text-sm text-muted sm:min-h-5">{chosen ? describe(chosen) : summary}</p>}
    >
      <figure>
        <TypicalDayPlot
          hours={hours}
          metric={metric}
          thresholds={thresholds}
          chosen={chosen}
          onPoint={setPointedAt}
          label={`Median ${metric.name} of each hour${summary ? `. ${summary}` : ''}`}
        />
        <figcaption className="mt-1 text-center text-xs text-muted">
          The line is the median of each hour, and half of the days lie in the band around it.
          {hours.some(({ isSparse }) => isSparse) && ' Little was measured where it is pale.'}
        </figcaption>
      </figure>
      <TypicalDayTable hours={hours} metric={metric} threshold={threshold} />
    </Card>
  );
}

const ROOM = 7;

function TypicalDayTable({
  hours,
  metric,
  threshold,
}: {
  hours: readonly TypicalHour[];
  metric: Metric;
  threshold: Threshold | undefined;
}) {
  if (hours.length === 0) return null;
  const format = (value: number) => fitValue(formatAverage(value, threshold, undefined, metric), ROOM);
  const heads = ['Hour', 'Median', ...(threshold ? ['Level'] : []), 'Middle 50 %', 'Days'];
  return (
    <details className="mt-1 text-sm text-muted">
      <summary className="w-fit cursor-pointer py-2">As a table</summary>
      <table className="w-full text-left max-[24rem]:text-xs">
        <caption className="sr-only">{nameWithUnit(metric)} of the typical day</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="py-1 pr-2 font-normal wrap-anywhere">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map(({ hour, lower, median, upper, days, isSparse, measured_seconds }) => (
            <tr key={hour} className="border-t border-line">
              <th scope="row" className="py-1 pr-2 font-normal wrap-anywhere">
                {nameHour(hour)}
              </th>
              <td className="pr-2 font-semibold wrap-anywhere text-ink">{format(median)}</td>
              {threshold && <td className="pr-2">{levelOf(median, threshold)}</td>}
              <td className="pr-2 wrap-anywhere">
                {format(lower)} to {format(upper)}
              </td>
              <td>{isSparse ? `${days}, ${onlyMeasured(measured_seconds)}` : days}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface TypicalDayPlotProps {
  hours: readonly TypicalHour[];
  metric: Metric;
  thresholds: Thresholds;
  chosen: TypicalHour | undefined;
  onPoint(hour: number | null): void;
  label: string;
}

/** Each hour's median as a line and its middle 50 % as a band, on the zones of the levels. */
function TypicalDayPlot(props: TypicalDayPlotProps) {
  const { hours, metric, thresholds, chosen, onPoint, label } = props;
  const axis = axisOf(hours, metric, thresholds);
  const pointAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onPoint(Math.floor(((clientX - left) / width) * 24));
  };
  return (
    <div className="h-64 pt-2 pr-3 pb-6 pl-10">
      {/* Uses percentages instead of a viewBox, which would stretch the text. */}
      <svg
        role="img"
        aria-label={label}
        width="100%"
        height="224"
        className="size-full overflow-visible text-xs forced-color-adjust-none"
        onPointerMove={pointAt}
        onPointerDown={pointAt}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onPoint(null)}
      >
        <Zones axis={axis} threshold={thresholds[metric.field]} />
        <ValueTicks axis={axis} metric={metric} />
        <HourTicks />
        <Lines hours={hours} axis={axis} metric={metric} />
        {chosen && <Mark hour={chosen} axis={axis} field={metric.field} />}
      </svg>
    </div>
  );
}

function axisOf(hours: readonly TypicalHour[], metric: Metric, thresholds: Thresholds): Axis {
  const points = hours.map(({ median, lower, upper }) => ({
    [metric.field]: { average: median, lowest: lower, highest: upper },
  }));
  return axisScale(points, thresholds, [metric]).axisOf(metric);
}

/** Returns a value's distance from the top of the plot, in percent of the height. */
function depthOf(value: number, { min, max }: Axis): number {
  const depth = ((max - drawable(value)) / (max - min)) * 100;
  return Math.round(Math.min(100, Math.max(0, depth)) * 100) / 100;
}

const across = (hour: number) => `${Math.round((hour / 24) * 10_000) / 100}%`;

const ZONE_LOOK: Record<Level, string> = {
  good: 'fill-zone-good forced-colors:fill-[Canvas]',
  moderate: 'fill-zone-moderate forced-colors:fill-[Canvas]',
  poor: 'fill-zone-poor forced-colors:fill-[Canvas]',
};

const TEXT_LOOK = 'fill-muted forced-colors:fill-[CanvasText]';

const LEAST_NAMED = 9;

function Zones({ axis, threshold }: { axis: Axis; threshold: Threshold | undefined }) {
  if (!threshold)
    return <rect width="100%" height="100%" className="fill-canvas forced-colors:fill-[Canvas]" />;
  const edges = [axis.min, threshold.good, threshold.moderate, axis.max].map((value) => depthOf(value, axis));
  return LEVELS.map((level, i) => {
    const [bottom, top] = [at(edges, i), at(edges, i + 1)];
    if (bottom <= top) return null;
    return (
      <g key={level}>
        <rect y={`${top}%`} width="100%" height={`${bottom - top}%`} className={ZONE_LOOK[level]} />
        {bottom < 100 && (
          <line
            x2="100%"
            y1={`${bottom}%`}
            y2={`${bottom}%`}
            strokeDasharray="2 4"
            className="stroke-muted forced-colors:stroke-[CanvasText]"
          />
        )}
        {bottom - top >= LEAST_NAMED && (
          <text x="6" y={`${top}%`} dy="1.25em" className={TEXT_LOOK}>
            {level}
          </text>
        )}
      </g>
    );
  });
}

function ValueTicks({ axis, metric }: { axis: Axis; metric: Metric }) {
  return axis.ticks.map((tick) => (
    <text key={tick} x="-6" y={`${depthOf(tick, axis)}%`} dy="0.35em" textAnchor="end" className={TEXT_LOOK}>
      {formatTick(shownValue(metric, tick))}
    </text>
  ));
}

/** Every third hour. A phone shows only every sixth. */
const HOUR_TICKS = [0, 3, 6, 9, 12, 15, 18, 21, 24];

function HourTicks() {
  return HOUR_TICKS.map((hour) => (
    <text
      key={hour}
      x={across(hour)}
      y="100%"
      dy="1.5em"
      textAnchor="middle"
      className={`${TEXT_LOOK} ${hour % 6 === 0 ? '' : 'max-sm:hidden'}`}
    >
      {hour % 24}:00
    </text>
  ));
}

const LINE_LOOK = 'stroke-(--metric) fill-(--metric)';

interface Section {
  hours: TypicalHour[];
  isSparse: boolean;
}

/** Splits hours at missing hours, and where sparse hours start or end. Sparse sections include the neighbouring hours. */
function sectionsOf(hours: readonly TypicalHour[]): Section[] {
  return unbroken(hours).flatMap((run) => {
    const sections: Section[] = [];
    for (const hour of run) {
      const section = sections.at(-1);
      if (section?.isSparse === hour.isSparse) section.hours.push(hour);
      else if (section && hour.isSparse)
        sections.push({ hours: [...section.hours.slice(-1), hour], isSparse: true });
      else {
        section?.hours.push(hour);
        sections.push({ hours: [hour], isSparse: hour.isSparse });
      }
    }
    return sections;
  });
}

/** Draws each hour's value at the middle of the hour. A single hour without neighbours is drawn half an hour long. */
function Lines({
  hours,
  axis,
  metric: { field, dash },
}: {
  hours: readonly TypicalHour[];
  axis: Axis;
  metric: Metric;
}) {
  const places = (run: readonly TypicalHour[], edge: (hour: TypicalHour) => number) => {
    const [first, last] = [run[0], run.at(-1)];
    const ends = first === last ? [-0.25, 0.25] : [0];
    return run.flatMap((hour) =>
      ends.map((beside) => `${hour.hour + 0.5 + beside},${depthOf(edge(hour), axis)}`),
    );
  };
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 100"
      preserveAspectRatio="none"
      data-metric={field}
      className={LINE_LOOK}
    >
      {sectionsOf(hours).map(({ hours: run, isSparse }) => (
        <g
          key={`${run[0]?.hour} ${isSparse}`}
          data-run={isSparse ? 'pale' : ''}
          opacity={isSparse ? 0.35 : undefined}
        >
          <path
            d={`M${[...places(run, ({ upper }) => upper), ...places(run, ({ lower }) => lower).reverse()].join('L')}Z`}
            fillOpacity={0.18}
            stroke="none"
          />
          <path
            d={`M${places(run, ({ median }) => median).join('L')}`}
            fill="none"
            strokeWidth={2.5}
            strokeLinejoin="round"
            strokeLinecap="round"
            strokeDasharray={dash.join(' ') || undefined}
            vectorEffect="non-scaling-stroke"
          />
        </g>
      ))}
    </svg>
  );
}

function Mark({ hour, axis, field }: { hour: TypicalHour; axis: Axis; field: MetricField }) {
  const x = across(hour.hour + 0.5);
  return (
    <>
      <line x1={x} x2={x} y2="100%" className="stroke-muted forced-colors:stroke-[CanvasText]" />
      <circle cx={x} cy={`${depthOf(hour.median, axis)}%`} r="4" data-metric={field} className={LINE_LOOK} />
    </>
  );
}
