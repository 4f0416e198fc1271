import type { Gap } from '../../readings/chart/gap';
import { formatValue } from '../../readings/format/format-value';
import { METRICS, NOT_MEASURED } from '../../readings/metric';
import { formatTimeSpan } from '../../readings/time/local-day';
import type { ChartModel } from './chart-model';
import { gapText } from './point-text';

/**
 * Describes the chart in words: the text alternative for screen readers.
 *
 * @param now the viewer's time of day, once the time zone is known; null before
 * @param ofSensor whose readings these are: ` of Bedroom`, or nothing
 */
export function describeChart(model: ChartModel, now: Date | null, ofSensor = ''): string {
  const { inView: points } = model;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return `Line chart${ofSensor} without readings.`;
  const ends = [new Date(first.from), new Date(last.to)] as const;
  const span = now ? ` from ${formatTimeSpan(ends, now, model.timeFormat, ' to ')}` : '';
  const metrics = METRICS.map(({ field, name, unit }) => {
    const known = points.flatMap((point) => point[field] ?? []);
    if (known.length === 0) return `${name} ${NOT_MEASURED}.`;
    const lowest = Math.min(...known.map((summary) => summary.lowest));
    const highest = Math.max(...known.map((summary) => summary.highest));
    const format = (value: number) => formatValue(value, model.thresholds[field]);
    const newest = last[field] ? `newest point ${format(last[field].average)}` : 'newest point without it';
    return `${name} between ${format(lowest)} and ${format(highest)} ${unit}, ${newest}.`;
  });
  const count = points.length === 1 ? 'one point' : `${points.length} points`;
  return [
    `Line chart${ofSensor}${span}: ${count}.`,
    ...metrics,
    describeGaps(model, now),
    model.compared && `Compared with the ${model.compared.name}.`,
    describeZones(model),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Says where the limits of the zones are, and for which metrics they are true. */
export function describeZones({ scale, thresholds, measured }: ChartModel): string {
  const shown = scale.isShared ? measured : [scale.zonesOf];
  const limits = (level: 'good' | 'moderate') =>
    shown.map(({ field, name, unit }) => `${thresholds[field][level]} ${unit} ${name}`).join(' and ');
  const zones = `Zones: good below ${limits('good')}, poor from ${limits('moderate')}.`;
  const others = measured
    .filter((metric) => !shown.includes(metric))
    .map(({ field, name, unit }) => `${name} is poor from ${thresholds[field].moderate} ${unit}.`);
  return [zones, ...others].join(' ');
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

function lengthMs({ from, to }: Gap): number {
  return Date.parse(to) - Date.parse(from);
}
