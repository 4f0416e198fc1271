import { type ChartPoint, timeLabel } from '../../readings/chart/chart-series';
import type { Gap } from '../../readings/chart/gap';
import { formatValue, formatWithUnit, withUnit } from '../../readings/format/format-value';
import { type Metric, NOT_MEASURED } from '../../readings/metric';
import { formatLongDuration } from '../../readings/time/durations';
import {
  clockTimeIn,
  clockTimeToSecond,
  formatTimeSpan,
  formatWithDay,
  type TimeFormat,
  withEnglishDays,
} from '../../readings/time/local-time';
import { noteTime } from '../notes/use-notes';
import { describeAirings } from './airings';
import type { ChartModel } from './chart-model';
import { describeNotes, notesAt } from './notes';

/** Describes a chart for screen readers. `now` is null until the time zone is known; `ofSensor` is ` of Bedroom`. */
export function describeChart(drawn: ChartModel, now: Date | null, ofSensor = ''): string {
  const model = asSpoken(drawn);
  const { inView: points } = model;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return `Line chart${ofSensor} without readings.`;
  const ends = [new Date(first.from), new Date(last.to)] as const;
  const span = now ? ` from ${formatTimeSpan(ends, now, model.timeFormat, ' to ')}` : '';
  const metrics = model.drawn.map((metric) => {
    const { field, name } = metric;
    const known = points.flatMap((point) => point[field] ?? []);
    if (known.length === 0) return `${name} ${NOT_MEASURED}.`;
    const lowest = Math.min(...known.map((summary) => summary.lowest));
    const highest = Math.max(...known.map((summary) => summary.highest));
    const format = (value: number) => formatValue(value, model.thresholds[field], metric);
    const newest = last[field] ? `newest point ${format(last[field].average)}` : 'newest point without it';
    return `${name} between ${format(lowest)} and ${withUnit(metric, format(highest))}, ${newest}.`;
  });
  const count = points.length === 1 ? 'one point' : `${points.length} points`;
  return [
    `Line chart${ofSensor}${span}: ${count}.`,
    ...metrics,
    describeGaps(model, now),
    describeAirings(model.airings, now, model.timeFormat),
    describeNotes(model.notes, now, model.timeFormat),
    model.compared && `Compared with the ${model.compared.name}.`,
    describeZones(model),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Describes the thresholds of the zones, the metrics that they belong to, and the comfortable bands. */
export function describeZones({ scale, thresholds, measured }: ChartModel): string {
  const levelled = measured.filter(({ field }) => thresholds[field]);
  const shown = levelled.filter((metric) => scale.isShared || metric === scale.zonesOf);
  const at = (level: 'good' | 'moderate') =>
    shown
      .map((metric) => `${withUnit(metric, thresholds[metric.field]?.[level] ?? '')} ${metric.name}`)
      .join(' and ');
  const others = levelled
    .filter((metric) => !shown.includes(metric))
    .map(
      (metric) =>
        `${metric.name} is poor from ${withUnit(metric, thresholds[metric.field]?.moderate ?? '')}.`,
    );
  const bands = measured.flatMap(({ name, unit, band }) =>
    band ? `${name} is comfortable from ${band.from} to ${band.to} ${unit}.` : [],
  );
  const zones = shown.length > 0 ? [`Zones: good below ${at('good')}, poor from ${at('moderate')}.`] : [];
  return [...zones, ...others, ...bands].join(' ');
}

function describeGaps({ gaps: placed, timeFormat }: ChartModel, now: Date | null): string {
  const gaps = placed.map(({ gap }) => gap);
  const longest = gaps.reduce<Gap | null>((a, b) => (a && lengthMs(a) >= lengthMs(b) ? a : b), null);
  if (!longest) return '';
  const places = gaps.length === 1 ? 'one place' : `${gaps.length} places`;
  const detail = now
    ? ` ${gaps.length === 1 ? 'It is' : 'The longest is'} ${gapText(longest, now, timeFormat)}.`
    : '';
  return `Readings are missing in ${places}.${detail}`;
}

const LABELS = withEnglishDays(timeLabel);

/** Formats a point's time: `9:5:30`, or `7 Nov 9:5:30 – 10:5:15` if it isn't on the day of `now`. */
export function pointTime({ from, to }: ChartPoint, now: Date, format: TimeFormat = LABELS): string {
  if (from === to) return formatWithDay(new Date(from), now, format);
  return formatTimeSpan([new Date(from), new Date(to)], now, format, ' – ');
}

/** Formats a gap's length: `7 d 18 h`, or `over 12 h` between steps, where the exact length is unknown. */
export function gapLength(gap: Gap): string {
  const length = formatLongDuration(lengthMs(gap));
  return gap.withinMs ? `over ${length}` : length;
}

export function gapsLength(gaps: readonly Gap[]): string {
  return formatLongDuration(gaps.reduce((sum, gap) => sum + lengthMs(gap), 0));
}

/** Formats a gap's times: `7 Nov 2:56 to 14 Nov 21:25`, with seconds if it is short. */
export function gapTimes(gap: Gap, now: Date): string {
  const format = withEnglishDays(clockTimeIn(lengthMs(gap)));
  return formatTimeSpan([new Date(gap.from), new Date(gap.to)], now, format, ' to ');
}

function lengthMs({ from, to }: Gap): number {
  return Date.parse(to) - Date.parse(from);
}

/** Returns `7 d 18 h without readings, 7 Nov 2:56:32 to 14 Nov 21:25:32`; between steps only the minimum length. */
export function gapText(gap: Gap, now: Date, format: TimeFormat = LABELS): string {
  const length = `${gapLength(gap)} without readings`;
  if (gap.withinMs) return length;
  return `${length}, ${formatTimeSpan([new Date(gap.from), new Date(gap.to)], now, format, ' to ')}`;
}

export interface PointText {
  time: string;
  values: { metric: Metric; value: string; range: string }[];
  notes: string[];
}

/** Describes a point: a reading, or the average of several with the lowest and highest. */
export function pointText(point: ChartPoint, model: ChartModel, now: Date): PointText {
  const { drawn, thresholds, timeFormat } = model;
  const gap = point.gapBefore ? gapText(point.gapBefore, now, timeFormat) : '';
  const isAverage = point.readings > 1;
  return {
    time: pointTime(point, now, timeFormat),
    values: drawn.map((metric) => {
      const summary = point[metric.field];
      if (!summary) return { metric, value: `${metric.name} ${NOT_MEASURED}`, range: '' };
      const { average, lowest, highest } = summary;
      const threshold = thresholds[metric.field];
      const say = (value: number) => formatValue(value, threshold, metric);
      const range = isAverage ? `${say(lowest)} to ${say(highest)}` : '';
      return { metric, value: `${metric.name} ${formatWithUnit(metric, average, threshold)}`, range };
    }),
    notes: [
      isAverage ? `average of ${point.readings} readings` : '',
      gap,
      point.note ?? '',
      ...notesAt(point, model).map((note) => `${note.text} (${noteTime(note, now, timeFormat)})`),
    ].filter(Boolean),
  };
}

/** Returns a model with times such as `9:05:03`, while the axis of the live chart has `9:5:3`. */
function asSpoken(model: ChartModel): ChartModel {
  const { timeFormat } = model;
  return timeFormat.time === timeLabel
    ? { ...model, timeFormat: { ...timeFormat, time: clockTimeToSecond } }
    : model;
}

export function spokenText(point: ChartPoint, model: ChartModel, now: Date): string {
  const { time, values, notes } = pointText(point, asSpoken(model), now);
  return [
    time,
    ...values.map(({ value, range }) => [value, range].filter(Boolean).join(', ')),
    ...notes,
  ].join('; ');
}
