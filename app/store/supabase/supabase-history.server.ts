import {
  type LevelSummary,
  levelSeconds,
  type MetricSummary,
  measuredTime,
  type Stretch,
  type SummaryAnswer,
} from '../../readings/history/history-answer';
import { boundsOf } from '../../readings/level/level';
import { byMetric, METRICS, type Metric, type Thresholds } from '../../readings/metric';
import { type MetricTotals, type RollUp, roundedAverageOf, withFaults } from '../../readings/roll-up/roll-up';
import type { RoomTotals } from '../../readings/roll-up/room-totals';
import type { AveragesQuery, HistoryQuery, ReadingStore, RoomAverages } from '../reading-store';
import { queryError } from './supabase-errors.server';
import type { Project, supabaseQueries } from './supabase-queries.server';

/**
 * The most steps per response: 0.15 MB for each metric, or just under `ANSWER_MIB` in total with the longest numbers.
 */
const PIECE_STEPS = 1000;
/** The longest span of a response with several steps, in seconds. The database adds up at most 105,000 slots for it. */
const PIECE_SECONDS = 365 * 86_400;
/** The number of parallel requests. A small project has two processors. */
const PIECES_AT_ONCE = 4;

/** The most sensors of one call for averages, and of one for totals, which add up a month of slots in 20 ms for each. */
const AVERAGED_SENSORS = 250;
const TOTALLED_SENSORS = 20;

/** A function of the migrations that answers about many sensors. */
interface RoomCall<Item, Row> {
  name: string;
  parametersOf(page: readonly Item[]): object;
  /** Returns null if a row of the answer is invalid. */
  convert(row: unknown): Row | null;
  signal?: AbortSignal;
}

/**
 * Returns the store's functions for the history. Requests a long history in pieces, several in parallel. The time limit is
 * for each round of parallel requests.
 */
export function supabaseHistory(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
): Pick<ReadingStore, 'rollUps' | 'summary' | 'averages' | 'roomTotals'> {
  async function fetchPiece(query: HistoryQuery, deadline: AbortSignal): Promise<RollUp[]> {
    const { sensor, from, to, step, phase = 0, thresholds } = query;
    const parameters = {
      of_sensor: sensor,
      since: from,
      until: to,
      step,
      phase,
      limits: limitsOf(thresholds),
    };
    const result = await queries.call('history', parameters, deadline);
    query.signal?.throwIfAborted();
    const rows = !result.error && Array.isArray(result.data) ? result.data : null;
    const rollUps = rows?.flatMap((row) => rollUpOf(row) ?? []);
    if (!rollUps || rollUps.length !== rows?.length) throw queryError(result, project);
    return rollUps;
  }

  /** Calls a function for pages of items, several in parallel. Yields its rows, converted by `convert`. */
  async function* callInPages<Item, Row>(
    items: readonly Item[],
    size: number,
    { name, parametersOf, convert, signal }: RoomCall<Item, Row>,
  ): AsyncGenerator<Row[]> {
    const pages = Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
      items.slice(i * size, (i + 1) * size),
    );
    for (let i = 0; i < pages.length; i += PIECES_AT_ONCE) {
      const deadline = queries.newDeadline(signal);
      const batch = pages.slice(i, i + PIECES_AT_ONCE);
      const results = await Promise.all(
        batch.map((page) => queries.call(name, parametersOf(page), deadline)),
      );
      signal?.throwIfAborted();
      for (const result of results) {
        const rows = !result.error && Array.isArray(result.data) ? result.data : null;
        const converted = rows?.flatMap((row) => convert(row) ?? []);
        if (!converted || converted.length !== rows?.length) throw queryError(result, project);
        yield converted;
      }
    }
  }

  return {
    averages: (query) =>
      callInPages(query.sensors, AVERAGED_SENSORS, {
        name: 'room_averages',
        parametersOf: (sensors) => {
          const { field, from, to, step } = query;
          return { sensors, of_metric: field, since: from, until: to, step };
        },
        convert: averagesOf(query),
        signal: query.signal,
      }),
    roomTotals: ({ sensors, field, thresholds, periods, signal }) =>
      callInPages(
        sensors.filter(({ from, to }) => from < to),
        TOTALLED_SENSORS,
        {
          name: 'room_totals',
          parametersOf: (page) => ({
            sensors: page.map(({ sensor }) => sensor),
            since: page.map(({ from }) => from),
            until: page.map(({ to }) => to),
            of_metric: field,
            bounds: limitsOf(thresholds)[field],
            offsets: periods,
          }),
          convert: roomTotalsOf,
          signal,
        },
      ),
    async *rollUps(query) {
      const pieces = piecesOf(query);
      for (let i = 0; i < pieces.length; i += PIECES_AT_ONCE) {
        const deadline = queries.newDeadline(query.signal);
        const batch = pieces.slice(i, i + PIECES_AT_ONCE);
        yield* await Promise.all(batch.map((piece) => fetchPiece(piece, deadline)));
      }
    },
    async summary(query) {
      const deadline = queries.newDeadline(query.signal);
      const { sensor, from, to, thresholds } = query;
      const parameters = { of_sensor: sensor, since: from, until: to, limits: limitsOf(thresholds) };
      const result = await queries.call('summary', parameters, deadline);
      query.signal?.throwIfAborted();
      const summary = result.error ? null : summaryOf(result.data, thresholds);
      if (!summary) throw queryError(result, project);
      return summary;
    },
  };
}

/** Returns the parameter `limits`: the bounds of each metric. In JSON, infinity becomes null. */
export const limitsOf = (thresholds: Thresholds) =>
  Object.fromEntries(METRICS.map((metric) => [metric.field, boundsOf(metric, thresholds)]));

/** Divides a query into pieces. */
function piecesOf(query: HistoryQuery): HistoryQuery[] {
  const { from, to, step } = query;
  const length = step * Math.max(1, Math.min(PIECE_STEPS, Math.floor(PIECE_SECONDS / step)));
  return Array.from({ length: Math.ceil((to - from) / length) }, (_, i) => ({
    ...query,
    from: from + i * length,
    to: Math.min(to, from + (i + 1) * length),
  }));
}

/**
 * Converts a step from the function `history`.
 *
 * @param row any value from the network
 * @returns null if it isn't such a step
 */
export function rollUpOf(row: unknown): RollUp | null {
  const { start, readings, co2_faults = null, ...metrics } = membersOf(row);
  const rollUp: RollUp = {
    start: toNumber(start),
    readings: toNumber(readings),
    ...byMetric(({ field }) => totalsOf(metrics[field] ?? null)),
    ...withFaults(totalsOf(co2_faults)),
  };
  return isComplete(rollUp) ? rollUp : null;
}

function totalsOf(totals: unknown): MetricTotals | null {
  if (totals === null) return null;
  const { values, sum, lowest, highest, seconds } = membersOf(totals);
  const { good, moderate, poor } = membersOf(seconds);
  return {
    values: toNumber(values),
    // The sum of very large numbers is infinite, which is null in JSON.
    sum: sum === null ? Number.POSITIVE_INFINITY : toNumber(sum),
    lowest: toNumber(lowest),
    highest: toNumber(highest),
    seconds: { good: toNumber(good), moderate: toNumber(moderate), poor: toNumber(poor) },
  };
}

/**
 * Converts the result of the function `summary`.
 *
 * @param row any value from the network
 * @returns null if it isn't such a result
 */
export function summaryOf(row: unknown, thresholds: Thresholds): SummaryAnswer | null {
  const { readings, ...metrics } = membersOf(row);
  const summary: SummaryAnswer = {
    readings: toNumber(readings),
    ...byMetric<MetricSummary, LevelSummary>((metric) =>
      metricSummaryOf(metric, metrics[metric.field] ?? null, thresholds),
    ),
  };
  return isComplete(summary) ? summary : null;
}

function metricSummaryOf(metric: Metric, numbers: unknown, thresholds: Thresholds): MetricSummary | null {
  const totals = totalsOf(numbers);
  if (!totals) return null;
  const { lowest_at, highest_at, longest_not_good, longest_poor } = membersOf(numbers);
  const { values, lowest, highest, seconds } = totals;
  const times = metric.threshold
    ? {
        ...levelSeconds(seconds),
        longest_not_good: stretchOf(longest_not_good),
        longest_poor: stretchOf(longest_poor),
      }
    : measuredTime(metric, seconds, thresholds);
  // The time of an earlier slot may reach into a span without values.
  if (values === 0)
    return { lowest: null, average: null, highest: null, lowest_at: null, highest_at: null, ...times };
  const average = roundedAverageOf(totals);
  return { lowest, average, highest, lowest_at: isoOf(lowest_at), highest_at: isoOf(highest_at), ...times };
}

function stretchOf(stretch: unknown): Stretch | null {
  if (stretch === null) return null;
  const { from, seconds } = membersOf(stretch);
  return { from: isoOf(from), seconds: toNumber(seconds) };
}

/** Returns the converter of rows with the averages of the steps that have values. */
const averagesOf =
  ({ from, to, step }: AveragesQuery) =>
  (row: unknown): RoomAverages | null => {
    const { sensor, averages } = membersOf(row);
    if (typeof sensor !== 'string' || !Array.isArray(averages)) return null;
    const known = new Map(averages.map(([start, average]) => [toNumber(start), toNumber(average)]));
    const starts = Array.from({ length: (to - from) / step }, (_, i) => from + i * step);
    return isComplete([...known])
      ? { sensor, averages: starts.map((start) => known.get(start) ?? null) }
      : null;
  };

function roomTotalsOf(row: unknown): RoomTotals | null {
  const { sensor, highest_at, worst_hour, ...numbers } = membersOf(row);
  const all = totalsOf(numbers);
  if (typeof sensor !== 'string' || !all) return null;
  const { seconds, ...totals } = all;
  const orNull = (value: unknown) => ((value ?? null) === null ? null : toNumber(value));
  const times = { highest_at: orNull(highest_at), worst_hour: orNull(worst_hour) };
  const answer = { totals: totals.values > 0 ? totals : null, seconds, ...times };
  return isComplete(answer) ? { sensor, ...answer } : null;
}

/** Returns seconds since 1970 as ISO 8601; empty if they aren't a number. */
function isoOf(seconds: unknown): string {
  const time = new Date(toNumber(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

const membersOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;

/** Large numbers may be text. Returns NaN for anything that isn't a number. */
const toNumber = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;

/** Returns true if all numbers and times are valid. */
function isComplete(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.values(value).every(isComplete);
  return value !== '' && !Number.isNaN(value);
}
