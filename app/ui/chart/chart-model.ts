import type { Chart, ChartData, ChartDataset } from 'chart.js';
import { at } from '../../readings/at';
import { type ChartPoint, type SeriesPoint, timeLabel } from '../../readings/chart/chart-series';
import type { PlacedGap } from '../../readings/chart/gap';
import { nameWithUnit } from '../../readings/format/format-value';
import {
  MAIN_METRICS,
  type Metric,
  type MetricField,
  measuredMetrics,
  NOT_MEASURED,
  type Thresholds,
} from '../../readings/metric';
import type { Note } from '../../readings/note';
import type { AiringAnswer } from '../../readings/room/ventilation-answer';
import type { Outside } from '../../readings/time/history-span';
import { formatWeekday, startOfDay, type TimeFormat, withEnglishDays } from '../../readings/time/local-time';
import { type PlacedAiring, placeAirings, placeAmong } from './airings';
import { type AxisScale, axisScale, drawable } from './axis-scale';
import { lineRuns } from './line-runs';
import { type PlacedNote, placeNotes } from './notes';
import type { RoomColor, RoomLook } from './room-looks';

/** The content of a chart. */
export interface ChartModel {
  points: readonly ChartPoint[];
  /** The points inside the plot. `points` also contains those outside that lines lead to. */
  inView: readonly ChartPoint[];
  /** Labels of the points on the time axis, or their times on an axis of numbers. */
  labels: readonly (string | number)[];
  positions: readonly number[];
  thresholds: Thresholds;
  /** The metrics with a line and an axis, at most two. The first one's axis is on the right. */
  drawn: readonly Metric[];
  /** The drawn metrics that have values. */
  measured: readonly Metric[];
  /** The drawn metrics that the legend and an axis name, even if not measured. */
  named: readonly Metric[];
  scale: AxisScale;
  gaps: readonly PlacedGap[];
  /** The parts of a time axis that can't have readings. */
  outside?: Outside;
  /** True if points lie on the edges of the chart and its gaps, where markers need room. */
  hasEdgePoints: boolean;
  marks: readonly TimeMark[];
  airings: readonly PlacedAiring[];
  notes: readonly PlacedNote[];
  /** The index of the point with the newest reading; -1 if the chart doesn't show it. */
  newest: number;
  /** True if points are averages, with a band from the lowest to the highest reading. */
  isAveraged: boolean;
  compared?: { name: string } | null;
  /** The lines of several rooms, in place of the drawn metrics' lines. The points then only have times. */
  rooms?: readonly RoomLine[];
  timeFormat: TimeFormat;
}

/** A room's line in a chart of one metric. */
export interface RoomLine {
  sensor: string;
  look: RoomLook;
  /** As many as the chart has; without a value where the room has no step. */
  points: readonly ChartPoint[];
}

/** Returns the model of a series of at least one point. Independent of the chart's size. */
export function chartModel(
  points: readonly SeriesPoint[],
  thresholds: Thresholds,
  drawn: readonly Metric[] = MAIN_METRICS,
  airings: readonly AiringAnswer[] = [],
  notes: readonly Note[] = [],
): ChartModel {
  const newest = points.length - 1;
  const placeOf = placeAmong(points);
  return {
    points,
    inView: points,
    labels: points.map(({ label }) => label),
    positions: points.map((_, i) => i),
    thresholds,
    drawn,
    measured: measuredMetrics(points, drawn),
    named: drawn,
    scale: axisScale(points, thresholds, drawn),
    gaps: points.flatMap(({ gapBefore: gap }, i) => (gap ? { start: i - 1, end: i, gap } : [])),
    hasEdgePoints: true,
    marks: findMidnights(points).map(({ position, day }) => ({ position, name: formatWeekday(day) })),
    airings: placeAirings(airings, placeOf, { from: 0, to: newest }, Date.parse(at(points, newest).to)),
    notes: placeNotes(notes, placeOf, { from: 0, to: newest }),
    newest,
    isAveraged: points.some(({ readings }) => readings > 1),
    timeFormat: withEnglishDays(timeLabel),
  };
}

/** A dataset with its colour, and with the model for the tooltip and the plugins. */
export type ReadingsDataset = ChartDataset<'line'> & { color: MetricField | RoomColor; model: ChartModel };

export const LINE_WIDTH = 2.5;

/** Returns the chart's data for Chart.js. Hidden metrics have no visible line. */
export function chartData(model: ChartModel, hidden: readonly MetricField[]): ChartData<'line'> {
  return {
    labels: [...model.labels],
    datasets: linesOf(model).map((line) => dataset(line, model, hidden)),
  };
}

/** A line of a chart: a metric's, or a room's. */
interface ChartLine {
  id: string;
  field: MetricField;
  color: MetricField | RoomColor;
  dash: readonly number[];
  points: readonly ChartPoint[];
}

/** Returns the lines in the order of the datasets. */
export function linesOf({ drawn, points, rooms }: ChartModel): ChartLine[] {
  const [metric] = drawn;
  if (rooms && metric)
    return rooms.map(({ sensor, look, points }) => ({ id: sensor, field: metric.field, ...look, points }));
  return drawn.map(({ field, dash }) => ({ id: field, field, color: field, dash, points }));
}

export function modelOf(chart: Chart): ChartModel {
  return at(datasetsOf(chart), 0).model;
}

export function datasetsOf(chart: Chart): ReadingsDataset[] {
  // `chartData` creates every dataset.
  return chart.data.datasets as ReadingsDataset[];
}

function dataset(line: ChartLine, model: ChartModel, hidden: readonly MetricField[]): ReadingsDataset {
  const { field, points } = line;
  const runs = lineRuns(points, field);
  return {
    label: line.id,
    yAxisID: field,
    data: points.map(({ [field]: summary }) => (summary ? drawable(summary.average) : null)),
    color: line.color,
    model,
    hidden: !model.rooms && hidden.includes(field),
    borderWidth: LINE_WIDTH,
    // Mitred joins would draw a sharp peak above its value.
    borderJoinStyle: 'bevel',
    borderDash: [...line.dash],
    // `drawMarkers` draws the points. With radii here, Chart.js would resolve all options for each point.
    pointRadius: 0,
    // Chart.js joins all values. Between runs, which it asks for by the index of each point, the line is invisible.
    spanGaps: true,
    segment:
      runs.length > 1
        ? { borderColor: ({ p1DataIndex }: { p1DataIndex: number }) => lineColorTo(p1DataIndex, runs) }
        : undefined,
  };
}

/** Returns a metric's label in a chart: `VOC (PPB)`, or `VOC (not measured)` if no point has a value. */
export function metricLabel(metric: Metric, { measured }: Pick<ChartModel, 'measured'>): string {
  return measured.includes(metric) ? nameWithUnit(metric) : `${metric.name} (${NOT_MEASURED})`;
}

function lineColorTo(index: number, runs: readonly number[][]) {
  const next = runs.find((run) => at(run, run.length - 1) >= index);
  return next && index > at(next, 0) ? undefined : 'transparent';
}

/** The start of a day, month or year on a chart's time axis. `position` is in the axis's unit. */
export interface TimeMark {
  position: number;
  name: string;
  /** True if it started before the view. Only its name is then drawn, at the start of the view. */
  hasBegun?: boolean;
}

export interface Midnight {
  /** The index between two points: 2.5 is halfway between points 2 and 3. */
  position: number;
  day: Date;
}

/** Finds the changes of the local day between points (oldest first). If several days start between two points, returns the last. */
export function findMidnights(points: readonly { from: string }[]): Midnight[] {
  const times = points.map(({ from }) => new Date(from));
  return times.flatMap((time, i) => {
    const before = times[i - 1];
    if (!before) return [];
    const day = startOfDay(time);
    if (before >= day) return [];
    const share = (day.getTime() - before.getTime()) / (time.getTime() - before.getTime());
    return [{ position: i - 1 + share, day }];
  });
}
