import { setImmediate as nextTurn } from 'node:timers/promises';
import { runningAlerts } from '../alerts/start-alerts.server';
import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import { sideOf } from '../readings/air/air-state';
import { dropOldest } from '../readings/drop-oldest';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import type { MetricField } from '../readings/metric';
import {
  airingOf,
  groupOf,
  isInGroup,
  NO_FACTS,
  type RoomNow,
  roomNow,
  shownMetric,
  sortByName,
  worstFirst,
} from '../readings/now/room-now';
import { silentAfter, staleAgeAfter } from '../readings/now/stale';
import type { SensorSummary } from '../readings/reading';
import { silentAfterMsFor, thresholdsFor } from '../readings/sensor-settings';
import { MINUTE_MS } from '../readings/time/durations';
import { getStore } from '../store/open-store.server';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { roomNow as ventilationNow } from './rooms-now.server';

/** Judging this many rooms takes some milliseconds. */
const ROOMS_PER_TURN = 200;

/** A line has the averages of these quarters of an hour: the last six hours. */
const LINE_STEPS = 24;
const LINE_STEP_S = 900;

export interface PresentRoomsQuery {
  group?: string;
  /** Judges and shows only this metric. By default, each room shows its first metric that has levels. */
  metric?: MetricField;
}

/** Returns the present state of all rooms, or of a group and its subgroups, worst first. */
export async function presentRooms(
  store: Pick<ReadingStore, 'sensors'>,
  { group: asked = '', metric }: PresentRoomsQuery,
  now: number,
): Promise<RoomNow[]> {
  const { thresholds: server, alerts } = getEnv();
  const { silentAfterMs } = alerts;
  // Less is known about rooms before the first readings are judged, and where the tables of notifications are missing.
  const watched =
    (await runningAlerts()
      ?.sensors()
      .catch(() => [])) ?? [];
  const all = (await store.sensors(SENSORS_IN_PAGE)).filter(({ is_hidden }) => !is_hidden);
  const fieldOf = (summary: SensorSummary) =>
    metric ?? shownMetric(summary.newest, thresholdsFor(server, summary.thresholds))?.field;
  const lineOf = await linesOf(getStore(), all, fieldOf, now);
  const listed = all.filter((summary) => isInGroup(groupOf(summary), asked));
  const airs = new Map(watched.map(({ sensor, air }) => [sensor, air]));
  const rooms: RoomNow[] = [];
  for (const [i, summary] of listed.entries()) {
    if (i % ROOMS_PER_TURN === ROOMS_PER_TURN - 1) await nextTurn();
    const { name, newest } = summary;
    const thresholds = thresholdsFor(server, summary.thresholds);
    const air = airs.get(name);
    const pauses = air?.spans?.pauses ?? [];
    const silentMs = silentAfter(
      { spans: { pauses } },
      { silentAfterMs: silentAfterMsFor(silentAfterMs, summary) },
    );
    const facts = {
      ...NO_FACTS,
      group: groupOf(summary),
      stale_after_seconds: Math.min(staleAgeAfter(pauses), silentMs) / 1000,
      silent_after_seconds: silentMs / 1000,
      airing: airingOf(ventilationNow(name)),
      line: lineOf(summary),
      thresholds: summary.thresholds ?? {},
    };
    const room = roomNow(name, newest, facts, { thresholds: server, metric }, now);
    const side =
      room.above &&
      room.metric &&
      air &&
      sideOf(air, room.metric, room.level === 'poor' ? 'moderate' : 'good', { thresholds });
    rooms.push(side?.isAbove && room.above ? { ...room, above: { ...room.above, since: side.since } } : room);
  }
  return worstFirst(
    sortByName(rooms, ({ sensor }) => sensor),
    server,
  );
}

type Lines = ReadonlyMap<string, (number | null)[]>;

/**
 * All pages share the lines of a metric. Reading those of 2,000 sensors takes a fifth of a second of a processor, so older ones than
 * a minute are read again while they are shown once more; but not older ones than a step.
 */
const FRESH_MS = MINUTE_MS;
const SHOWN_MS = LINE_STEP_S * 1000;
const MOST_METRICS = 8;

const kept = singleton('room-lines', () => new Map<MetricField, { readAt: number; lines: Promise<Lines> }>());

/** Returns the line of each sensor: of the asked metric, or of the metric that the room shows. */
async function linesOf(
  store: Pick<ReadingStore, 'averages'>,
  sensors: readonly SensorSummary[],
  fieldOf: (summary: SensorSummary) => MetricField | undefined,
  now: number,
): Promise<(summary: SensorSummary) => (number | null)[]> {
  const names = new Map<MetricField, string[]>();
  for (const summary of sensors) {
    const field = fieldOf(summary);
    if (!field) continue;
    const own = names.get(field) ?? [];
    own.push(summary.name);
    names.set(field, own);
  }
  const lines = new Map<MetricField, Lines>();
  for (const [field, own] of names) lines.set(field, await keptLines(store, field, own, now));
  return (summary) => {
    const field = fieldOf(summary);
    return (field && lines.get(field)?.get(summary.name)) ?? [];
  };
}

function keptLines(
  store: Pick<ReadingStore, 'averages'>,
  field: MetricField,
  names: readonly string[],
  now: number,
): Promise<Lines> {
  const known = kept.get(field);
  const age = known ? Math.abs(now - known.readAt) : Number.POSITIVE_INFINITY;
  if (known && age < FRESH_MS) return known.lines;
  const lines = readLines(store, field, names, now);
  const keep = () => {
    kept.delete(field);
    kept.set(field, { readAt: now, lines });
    dropOldest(kept, MOST_METRICS);
  };
  if (known && age < SHOWN_MS) {
    // Not read twice at the same time.
    known.readAt = now;
    lines.then(keep, (error) => console.error(`[airboard] rooms keep older lines: ${error}`));
    return known.lines;
  }
  keep();
  return lines;
}

/** Reads the lines of a metric. A store that can't answer leaves rooms without lines, for as long as lines are kept. */
async function readLines(
  store: Pick<ReadingStore, 'averages'>,
  field: MetricField,
  sensors: readonly string[],
  now: number,
): Promise<Lines> {
  const to = (Math.floor(now / 1000 / LINE_STEP_S) + 1) * LINE_STEP_S;
  const span = { from: to - LINE_STEPS * LINE_STEP_S, to, step: LINE_STEP_S };
  const lines = new Map<string, (number | null)[]>();
  try {
    for await (const page of store.averages({ sensors, field, ...span })) {
      for (const { sensor, averages } of page) lines.set(sensor, averages);
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    console.error(`[airboard] rooms have no lines: ${error.message}`);
  }
  return lines;
}
