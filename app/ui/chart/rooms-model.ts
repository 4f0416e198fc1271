import { at } from '../../readings/at';
import type { ChartPoint } from '../../readings/chart/chart-series';
import type { PlacedGap } from '../../readings/chart/gap';
import type { HistoryAnswer } from '../../readings/history/history-answer';
import type { Metric, MetricField, Thresholds } from '../../readings/metric';
import type { Span } from '../../readings/time/history-span';
import type { RoomLine } from './chart-model';
import { type HistoryModel, historyModel } from './history-model';
import { type HistoryPoints, historyPoints } from './history-points';
import { ROOM_LOOKS } from './room-looks';

/** One room of a chart of several. */
export interface RoomHistory {
  sensor: string;
  /** Null before the first answer. */
  answer: HistoryAnswer | null;
  answered: Span | null;
  /** The time of the first reading; null without readings. */
  first: number | null;
}

interface RoomsParts {
  rooms: readonly RoomHistory[];
  metric: readonly [Metric];
  view: Span;
  thresholds: Thresholds;
  now: number;
}

/**
 * Returns the model of a chart with a line for each room. All rooms have the same steps, so each point is a step, with the values
 * of the rooms that have one. A line breaks where its room has a gap; only time that is missing in all rooms is hatched.
 */
export function roomsModel({ rooms, metric: drawn, view, thresholds, now }: RoomsParts): HistoryModel {
  const [{ field }] = drawn;
  const known = rooms.map(({ answer, answered, first }) => {
    const times = { now, first: first ?? now, answered: answered ?? undefined };
    return { steps: answer?.steps ?? [], ...(answer ? historyPoints(answer, times) : NOTHING) };
  });
  const places = new Map<string, { position: number; points: ChartPoint[] }>();
  for (const { steps, points, positions } of known) {
    for (const [i, { start }] of steps.entries()) {
      const others = places.get(start)?.points ?? [];
      places.set(start, { position: at(positions, i), points: [...others, at(points, i)] });
    }
  }
  const ordered = [...places].sort(([a], [b]) => Date.parse(a) - Date.parse(b));
  const positions = ordered.map(([, { position }]) => position);
  const lines = known.map(({ steps, points }, i): RoomLine => {
    const own = new Map(steps.map(({ start }, n) => [start, at(points, n)]));
    return {
      sensor: at(rooms, i).sensor,
      look: at(ROOM_LOOKS, i % ROOM_LOOKS.length),
      points: ordered.map(([start, { points }]) => own.get(start) ?? emptyAt(at(points, 0))),
    };
  });
  const firsts = rooms.flatMap(({ first }) => first ?? []);
  const model = historyModel({
    view,
    thresholds,
    drawn,
    now,
    first: firsts.length > 0 ? Math.min(...firsts) : null,
    step: rooms.find(({ answer }) => answer)?.answer?.step_seconds ?? 60,
    history: {
      points: ordered.map(([, { points }]) => joined(points, field)),
      positions,
      gaps: gapsOfAll(known),
    },
    compared: null,
  });
  return { ...model, named: drawn, newest: -1, rooms: lines };
}

const NOTHING: HistoryPoints = { points: [], positions: [], gaps: [] };

/** Returns a step of all rooms, from the lowest to the highest average: the lines have no bands. */
function joined(points: readonly ChartPoint[], field: MetricField): ChartPoint {
  const averages = points.flatMap((point) => point[field]?.average ?? []);
  const [lowest, highest] = [Math.min(...averages), Math.max(...averages)];
  const summary = averages.length > 0 ? { average: highest, lowest, highest } : null;
  return { ...emptyAt(at(points, 0)), [field]: summary };
}

/** Returns a step without values, so that a line passes it. */
const emptyAt = ({ from, to }: ChartPoint): ChartPoint => ({
  from,
  to,
  readings: 0,
  co2: null,
  voc: null,
  gapBefore: null,
});

/** Returns the times that are gaps in all rooms. */
function gapsOfAll(
  rooms: readonly { gaps: readonly PlacedGap[]; points: readonly ChartPoint[] }[],
): PlacedGap[] {
  const [first, ...others] = rooms.filter(({ points }) => points.length > 0);
  return others.reduce(
    (common, { gaps }) => common.flatMap((gap) => gaps.flatMap((other) => overlapOf(gap, other))),
    [...(first?.gaps ?? [])],
  );
}

function overlapOf(a: PlacedGap, b: PlacedGap): PlacedGap | [] {
  const [start, end] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
  if (start >= end) return [];
  const [from, to] = [start, end].map((time) => new Date(time).toISOString());
  return { start, end, gap: { ...a.gap, from: from ?? '', to: to ?? '' } };
}
