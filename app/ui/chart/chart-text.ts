import { type ChartPoint, type Summary, timeLabel } from '../../readings/chart/chart-series';
import type { Gap } from '../../readings/chart/gap';
import { formatValue, formatWithUnit, withUnit } from '../../readings/format/format-value';
import { hasLevels, type LevelRange, levelRanges } from '../../readings/level/level';
import { type Metric, type MetricField, NOT_MEASURED, type Thresholds } from '../../readings/metric';
import { sensorLabel } from '../../readings/sensor';
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
import { lineRuns } from './line-runs';
import { describeNotes, notesAt } from './notes';
import type { RoomLook } from './room-looks';

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
    const format = (value: number) => formatValue(value, model.thresholds[field], metric);
    const newest = last[field] ? `newest point ${format(last[field].average)}` : 'newest point without it';
    return `${name} ${between(known, metric, format)}, ${newest}.`;
  });
  const count = points.length === 1 ? 'one point' : `${points.length} points`;
  return [
    `Line chart${ofSensor}${span}: ${count}.`,
    ...(model.rooms ? describeRooms(model) : metrics),
    describeGaps(model, now),
    describeAirings(model.airings, now, model.timeFormat),
    describeNotes(model.notes, now, model.timeFormat),
    model.compared && `Compared with the ${model.compared.name}.`,
    describeZones(model),
  ]
    .filter(Boolean)
    .join(' ');
}

function between(values: readonly Summary[], metric: Metric, format: (value: number) => string): string {
  const lowest = Math.min(...values.map((summary) => summary.lowest));
  const highest = Math.max(...values.map((summary) => summary.highest));
  return `between ${format(lowest)} and ${withUnit(metric, format(highest))}`;
}

/** Describes the lines of rooms: `CO2. Bedroom between 420 and 1240 PPM. Office without readings.` */
function describeRooms({ rooms = [], drawn: [metric], thresholds, inView }: ChartModel): string[] {
  if (!metric) return [];
  const { field, name } = metric;
  const shown = new Set(inView.map(({ from }) => from));
  const lines = rooms.map(({ sensor, points }) => {
    const known = points.flatMap((point) => (shown.has(point.from) ? (point[field] ?? []) : []));
    const values = between(known, metric, (value) => formatValue(value, thresholds[field], metric));
    return `${sensorLabel(sensor)} ${known.length > 0 ? values : 'without readings'}.`;
  });
  return [`${name}.`, ...lines];
}

/**
 * Returns the value of each room at a point: its own, or that of the nearest point of the line that passes there, because a room
 * may have fewer readings than the others.
 */
function roomValues(point: ChartPoint, model: ChartModel): PointText['values'] {
  const { rooms = [], drawn, thresholds } = model;
  const [metric] = drawn;
  const index = model.points.indexOf(point);
  return rooms.map(({ sensor, look, points }) => {
    const summary = metric && points[nearestOn(points, metric.field, index)]?.[metric.field];
    const text = summary ? formatWithUnit(metric, summary.average, thresholds[metric.field]) : 'no readings';
    return { line: look, value: `${sensorLabel(sensor)} ${text}`, range: '' };
  });
}

/** Returns the index of the point of a line that is nearest to `index`; -1 where the line has a gap. */
function nearestOn(points: readonly ChartPoint[], field: MetricField, index: number): number {
  const run = lineRuns(points, field).find((each) => index <= (each.at(-1) ?? -1)) ?? [];
  if (index < (run[0] ?? index + 1)) return -1;
  return run.reduce(
    (nearest, i) => (Math.abs(i - index) < Math.abs(nearest - index) ? i : nearest),
    run[0] ?? -1,
  );
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
  const bands = measured.flatMap((metric) => {
    const { name, unit, band } = metric;
    if (!thresholds[metric.field] && hasLevels(metric, thresholds))
      return describeComfort(metric, thresholds);
    return band ? `${name} is comfortable from ${band.from} to ${band.to} ${unit}.` : [];
  });
  const zones = shown.length > 0 ? [`Zones: good below ${at('good')}, poor from ${at('moderate')}.`] : [];
  return [...zones, ...others, ...bands].join(' ');
}

/** Describes a sensor's own limits: `Temperature is good from 19 to 25 °C, poor below 16 °C and from 28 °C.` */
function describeComfort(metric: Metric, thresholds: Thresholds): string {
  const say = (value: number) =>
    withUnit(metric, formatValue(value, undefined, { ...metric, band: undefined }));
  const textOf = ({ from, to }: LevelRange) => {
    if (!Number.isFinite(from)) return `below ${say(to)}`;
    return `from ${say(from)}${Number.isFinite(to) ? ` to ${say(to)}` : ''}`;
  };
  const ranges = levelRanges(metric, thresholds);
  const texts = (['good', 'poor'] as const).flatMap((level) => {
    const own = ranges.filter((range) => range.level === level).map(textOf);
    return own.length > 0 ? `${level} ${own.join(' and ')}` : [];
  });
  return `${metric.name} is ${texts.join(', ')}.`;
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
  values: { line: Metric | RoomLook; value: string; range: string }[];
  notes: string[];
}

/** Describes a point: a reading, or the average of several with the lowest and highest. */
export function pointText(point: ChartPoint, model: ChartModel, now: Date): PointText {
  const { drawn, thresholds, timeFormat, rooms } = model;
  if (rooms) return { time: pointTime(point, now, timeFormat), values: roomValues(point, model), notes: [] };
  const gap = point.gapBefore ? gapText(point.gapBefore, now, timeFormat) : '';
  const isAverage = point.readings > 1;
  return {
    time: pointTime(point, now, timeFormat),
    values: drawn.map((metric) => {
      const summary = point[metric.field];
      if (!summary) return { line: metric, value: `${metric.name} ${NOT_MEASURED}`, range: '' };
      const { average, lowest, highest } = summary;
      const threshold = thresholds[metric.field];
      const say = (value: number) => formatValue(value, threshold, metric);
      const range = isAverage ? `${say(lowest)} to ${say(highest)}` : '';
      return { line: metric, value: `${metric.name} ${formatWithUnit(metric, average, threshold)}`, range };
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
