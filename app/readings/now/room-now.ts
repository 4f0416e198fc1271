import { LEVELS, type Level, severityOf } from '../level/level';
import { CO2, METRICS, type Metric, type MetricField, measuredMetrics, type Thresholds } from '../metric';
import { measuredValue, type Reading, type SensorSummary } from '../reading';
import type { VentilationAnswer } from '../room/ventilation-answer';
import { sensorLabel } from '../sensor';
import { type OwnThresholds, thresholdsFor } from '../sensor-settings';
import { formatDuration, MINUTE_MS } from '../time/durations';
import { levelNow } from './level-now';
import { isAhead, MAX_STALE_MS, MIN_SILENT_MS } from './stale';

/** Returns a sensor's group, a path such as `School/Floor 2`; empty for no group. */
export function groupOf({ group = '' }: SensorSummary): string {
  return group;
}

/** Returns true if a group is `within` or one of its subgroups. */
export function isInGroup(group: string, within: string): boolean {
  return within === '' || group === within || group.startsWith(`${within}/`);
}

/** A sensor's present state in `GET /api/rooms`. */
export interface RoomNow {
  sensor: string;
  group: string;
  /** The worst level, or that of the asked metric; null if that isn't known. Old once the sensor is silent. */
  level: Level | null;
  freshness: 'live' | 'stale' | 'silent' | 'ahead';
  /** The metric of `value`; null if the newest reading has no value. */
  metric: MetricField | null;
  value: number | null;
  /** The metric that causes the level, if it isn't `metric`. */
  cause: MetricField | null;
  /** True if a value is one that no working sensor reports. */
  is_faulty: boolean;
  /** The time of the newest reading. */
  at: string;
  /** A reading describes the air for this long, and the sensor is silent after this long without another one. */
  stale_after_seconds: number;
  silent_after_seconds: number;
  /** The threshold that the value of `metric` is at or above, and since when. */
  above: { threshold: number; since: string } | null;
  airing: { remaining_minutes: [number, number] | null; is_enough: boolean } | null;
  /** What to do, in words; empty if there is nothing to do. */
  advice: string;
  /** The averages of the last quarters of an hour, oldest first; null without values. */
  line: (number | null)[];
  /** The sensor's own thresholds, which count before the server's. */
  thresholds: OwnThresholds;
}

/** Facts about a room that its newest reading doesn't show. */
export type RoomFacts = Pick<
  RoomNow,
  'group' | 'stale_after_seconds' | 'silent_after_seconds' | 'above' | 'airing' | 'line' | 'thresholds'
>;

/** The facts about a room of which only the newest reading is known. */
export const NO_FACTS: RoomFacts = {
  group: '',
  stale_after_seconds: MAX_STALE_MS / 1000,
  silent_after_seconds: MIN_SILENT_MS / 1000,
  above: null,
  airing: null,
  line: [],
  thresholds: {},
};

/** The metrics and thresholds by which rooms are judged. */
export interface RoomRules {
  /** Those of the server. */
  thresholds: Thresholds;
  /** Judges only this metric. By default, the level is the worst of all metrics. */
  metric?: MetricField;
}

/** Returns the metric of a reading that lists show: the first with thresholds, or else the first measured one. */
export function shownMetric(reading: Reading, thresholds: Thresholds): Metric | undefined {
  const measured = measuredMetrics([reading]);
  return measured.find(({ field }) => thresholds[field]) ?? measured[0];
}

/**
 * Returns a room's state after its newest reading.
 *
 * @param now the server's clock in milliseconds
 */
export function roomNow(
  sensor: string,
  newest: Reading,
  facts: RoomFacts,
  { thresholds: server, metric: asked }: RoomRules,
  now: number,
): RoomNow {
  const thresholds = thresholdsFor(server, facts.thresholds);
  const air = levelNow([newest], thresholds);
  const metric = asked ? METRICS.find(({ field }) => field === asked) : shownMetric(newest, thresholds);
  const value = metric ? (newest[metric.field] ?? null) : null;
  const own = air.metrics.find((each) => each.metric === metric);
  const level = asked ? (own?.level ?? null) : air.level;
  const cause = air.metrics.find((each) => each.level === level)?.metric;
  const threshold = own && own.level !== 'good' && own.threshold[own.level === 'poor' ? 'moderate' : 'good'];
  const room = {
    sensor,
    ...facts,
    level,
    metric: value === null || !metric ? null : metric.field,
    value,
    cause: !asked && cause && cause !== metric ? cause.field : null,
    is_faulty: asked
      ? value !== null && metric !== undefined && measuredValue(newest, metric) === null
      : air.fault !== null,
    at: newest.created_at,
    above: threshold
      ? facts.above?.threshold === threshold
        ? facts.above
        : { threshold, since: newest.created_at }
      : null,
    airing: metric === CO2 ? facts.airing : null,
  };
  return withTime({ ...room, freshness: 'live', advice: '' }, now);
}

/** Returns a room at a later time: whether its reading still describes the air, and what to do. */
export function withTime(room: RoomNow, now: number): RoomNow {
  const freshness = freshnessNow(room, now);
  const advice = adviceOf({ ...room, freshness });
  return freshness === room.freshness && advice === room.advice ? room : { ...room, freshness, advice };
}

function freshnessNow(room: RoomNow, now: number): RoomNow['freshness'] {
  if (isAhead({ created_at: room.at }, now)) return 'ahead';
  const seconds = (now - Date.parse(room.at)) / 1000;
  if (seconds > room.silent_after_seconds) return 'silent';
  return seconds > room.stale_after_seconds ? 'stale' : 'live';
}

/** Returns one number for the minutes that an airing still takes. */
export function minutesLeft([least, most]: readonly [number, number]): number {
  return Math.max(1, Math.round((least + most) / 2));
}

function adviceOf({ freshness, is_faulty, airing, level, cause, metric: field }: RoomNow): string {
  if (freshness !== 'live') return freshness === 'silent' ? 'check the sensor' : '';
  if (airing?.is_enough) return 'enough: close the window';
  if (airing?.remaining_minutes) return `airing, ${minutesLeft(airing.remaining_minutes)} min left`;
  if (airing) return 'airing';
  if (is_faulty && level === null) return 'check the sensor';
  if (level === null || level === 'good') return '';
  const metric = METRICS.find((each) => each.field === (cause ?? field));
  if (metric && metric.advice !== CO2.advice) return `${metric.name} is ${level}`;
  return level === 'poor' ? 'open a window now' : 'open a window soon';
}

/** Returns `above 1000 for 12 min`; an empty text if the value is below, or the time is less than a minute. */
export function aboveText({ above, freshness }: RoomNow, now: number): string {
  const ms = above ? now - Date.parse(above.since) : 0;
  return above && freshness === 'live' && ms >= MINUTE_MS
    ? `above ${above.threshold} for ${formatDuration(ms)}`
    : '';
}

/** Returns the facts of `GET /api/ventilation` that a list shows. */
export function airingOf(answer: VentilationAnswer | null): RoomNow['airing'] {
  if (!answer?.airing) return null;
  const { remaining_minutes, is_enough } = answer.airing;
  return { remaining_minutes, is_enough };
}

/** Returns rooms by their air, worst first, then by value, highest first. Rooms with unknown air come last, and equal ones stay in order. */
export function worstFirst(rooms: readonly RoomNow[], server: Thresholds): RoomNow[] {
  const keys = new Map(rooms.map((room) => [room, [rankOf(room), severityIn(room, server)] as const]));
  return [...rooms].sort((a, b) => {
    const [[rank = 0, severity = 0] = [], [other = 0, otherSeverity = 0] = []] = [keys.get(a), keys.get(b)];
    return rank - other || (severity === otherSeverity ? 0 : otherSeverity - severity);
  });
}

/** Ranks the air, worst highest. */
function rankOf({ freshness, level }: RoomNow): number {
  return freshness === 'live' && level ? LEVELS.length - LEVELS.indexOf(level) : LEVELS.length + 1;
}

function severityIn({ freshness, metric, value, thresholds: own }: RoomNow, server: Thresholds): number {
  if (freshness !== 'live' || metric === null || value === null) return Number.NEGATIVE_INFINITY;
  const threshold = thresholdsFor(server, own)[metric];
  return threshold ? severityOf(value, threshold) : value;
}

/** Returns items ordered by name. Splitting a name takes longer than comparing, so each is split once. */
export function sortByName<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, parts: sensorLabel(nameOf(item)).match(/\d+|\D+/g) ?? [] }))
    .sort((a, b) => compareParts(a.parts, b.parts))
    .map(({ item }) => item);
}

/** Compares names as people count: `Room 9` comes before `Room 10`. Not `localeCompare`, which depends on the language. */
function compareParts(left: readonly string[], right: readonly string[]): number {
  for (const [i, part] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    if (part === other) continue;
    return Number(part) - Number(other) || (part < other ? -1 : 1);
  }
  return left.length - right.length;
}

/** The rooms of a group, in their order. */
export interface RoomGroup {
  group: string;
  rooms: RoomNow[];
}

/** Returns ordered rooms by group. The groups have the order of their first rooms, or of their names. */
export function byGroup(rooms: readonly RoomNow[], isByName: boolean): RoomGroup[] {
  const groups = new Map<string, RoomNow[]>();
  for (const room of rooms) {
    const own = groups.get(room.group);
    if (own) own.push(room);
    else groups.set(room.group, [room]);
  }
  const found = [...groups].map(([group, rooms]) => ({ group, rooms }));
  return isByName ? sortByName(found, ({ group }) => group) : found;
}

type RoomState = Level | 'faulty' | 'without a level' | 'stale' | 'silent';

/** Returns the word for a room's state: its level while its reading describes the air, else how long that is over. */
export function stateOfRoom({ freshness, level, is_faulty }: RoomNow): RoomState {
  if (freshness === 'live') return level ?? (is_faulty ? 'faulty' : 'without a level');
  return freshness === 'silent' ? 'silent' : 'stale';
}

/** Returns `14 rooms: 2 poor, 3 moderate, 8 good, 1 silent`. */
export function countText(rooms: readonly RoomNow[]): string {
  const states = rooms.map(stateOfRoom);
  const counts = [...LEVELS.toReversed(), 'faulty', 'without a level', 'stale', 'silent'].flatMap((state) => {
    const count = states.filter((each) => each === state).length;
    return count > 0 ? [`${count} ${state}`] : [];
  });
  const all = `${rooms.length} ${rooms.length === 1 ? 'room' : 'rooms'}`;
  return counts.length > 0 ? `${all}: ${counts.join(', ')}` : all;
}
