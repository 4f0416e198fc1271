import type { AlertEvent, EventKind } from '../providers/alert-event';
import { type AirState, type SensorAir, sideOf, stateOf, type Transition } from '../readings/air/air-state';
import { formatBeside, formatValue, formatWithUnit, withUnit } from '../readings/format/format-value';
import {
  clearLimit,
  isLowBad,
  LEVELS,
  type Level,
  levelWords,
  type ThresholdName,
} from '../readings/level/level';
import { byMetric, CO2, METRICS, type Metric, metricOf, type Thresholds } from '../readings/metric';
import { levelNow, type MetricNow, severityNow } from '../readings/now/level-now';
import { type MetricValues, measuredValue, valuesIn } from '../readings/reading';
import { outdoorAdvice } from '../readings/room/outdoor-advice';
import { sensorLabel } from '../readings/sensor';
import { formatWholeMinutes } from '../readings/time/durations';
import { localIsoTime, MONTHS, WEEKDAYS } from '../readings/time/local-time';
import { spanQueries } from '../readings/time/span-address';
import type { WatchedSensor } from '../store/alert-store';

/** The settings that the text of a message depends on. */
export interface EventRules {
  thresholds: Thresholds;
  afterMs: number;
  /** The time zone of the times in texts. */
  timeZone: string;
  publicUrl: string | null;
}

export interface Occasion {
  kind: Exclude<EventKind, 'aired' | 'sensor' | 'summary' | 'test'>;
  /** The sensor, with the previously notified state. */
  watched: WatchedSensor;
  /** The transition to the current state; null if no single transition explains it. */
  transition: Transition | null;
  /** True if there is no other sensor. An unnamed sensor then isn't mentioned. */
  isOnly: boolean;
  now: number;
  /** The sensor outdoors, and its air if that is known. Null if no sensor is there. */
  outdoors?: { sensor: string; air: SensorAir | null } | null;
}

/** The linked span begins this long before the event and ends this long after it. */
const AROUND_MS = 30 * 60_000;

export function describeEvent(occasion: Occasion, rules: EventRules): Omit<AlertEvent, 'id'> {
  const { kind, watched, transition } = occasion;
  const { sensor, air, notified, notifiedAt } = watched;
  const state = stateOf(air);
  const changedAt = transition?.at ?? air.silentSince ?? air.levelSince;
  const at = kind === 'reminder' ? new Date(occasion.now).toISOString() : changedAt;
  const since = transition?.since ?? (state === 'silent' ? (air.lost?.at ?? air.newest) : air.levelSince);
  const first = kind === 'ended' && notifiedAt !== null && notifiedAt < since ? notifiedAt : since;
  return {
    kind,
    sensor,
    state,
    before: notified,
    at,
    since,
    ...valuesIn(air),
    title: titleOf(occasion, state, notified, rules),
    text: textOf(occasion, state, notified, rules),
    url: linkTo(sensor, Date.parse(first), Math.max(Date.parse(changedAt), Date.parse(air.newest)), rules),
  };
}

function titleOf(
  { kind, watched, isOnly }: Occasion,
  state: AirState,
  before: AirState,
  rules: EventRules,
): string {
  const words =
    kind === 'ended'
      ? endOf(watched, before, state, rules)
      : state === 'silent'
        ? `no ${lostName(watched.air) ?? 'readings'}`
        : airWords(watched, state, rules);
  const title = kind === 'reminder' ? `still ${words}` : words;
  return titleAbout(watched.sensor, isOnly, title);
}

/** Returns `poor air`, or words such as `too cold` if the air isn't comfortable. */
function airWords({ air }: WatchedSensor, state: Level, rules: EventRules): string {
  const worst = worstOf(air, rules);
  const isCause = worst?.metric.comfort !== undefined && worst.level === state;
  return isCause ? levelWords(worst.metric, worst.threshold, state) : `${state} air`;
}

/** Returns text such as `Kitchen: poor air`; without the name if the only sensor has none. */
export function titleAbout(sensor: string, isOnly: boolean, words: string): string {
  return sensor || !isOnly ? `${sensorLabel(sensor)}: ${words}` : capitalized(words);
}

function endOf({ air }: WatchedSensor, before: AirState, state: AirState, rules: EventRules): string {
  if (before === 'silent') return 'readings again';
  if (!worstOf(air, rules)) return 'no verdict on the air';
  return state === 'good' ? 'good air again' : `air no longer ${before}`;
}

/** Every text contains a time, because it may be read hours later. */
function textOf(occasion: Occasion, state: AirState, before: AirState, rules: EventRules): string {
  const { watched, transition, now } = occasion;
  const { air } = watched;
  const timeOf = (time: string) => clockTime(time, now, rules);
  if (state === 'silent' && air.lost) {
    const { field, value, at } = air.lost;
    const last = valuesOf({ ...byMetric(() => null), [field]: value }, rules);
    const ago = formatWholeMinutes(now - Date.parse(at));
    return `${lostName(air)} was last measured ${timeOf(at)}, ${ago} ago: ${last}. Check the sensor. The newest reading: ${valuesOf(air, rules)}.`;
  }
  if (state === 'silent') {
    const ago = formatWholeMinutes(now - Date.parse(air.newest));
    return `No reading since ${timeOf(air.newest)}, for ${ago}. The last reading: ${valuesOf(air, rules)}.`;
  }
  if (before === 'silent' && occasion.kind === 'ended') {
    const back = transition ? `since ${timeOf(transition.at)}` : `up to ${timeOf(air.newest)}`;
    return `Readings have arrived again ${back}: ${valuesOf(air, rules)}.`;
  }
  const isBetter = before !== 'silent' && LEVELS.indexOf(state) < LEVELS.indexOf(before);
  return valueText(air, state, isBetter, timeOf, rules, (metric) => adviceOf(occasion, state, metric, rules));
}

/** Returns advice about poor or moderate air; empty where it is to open a window, which is obvious. */
function adviceOf(
  { watched: { sensor, air }, outdoors, now }: Occasion,
  level: Level,
  metric: Metric,
  { thresholds }: EventRules,
): string {
  if (outdoors?.sensor === sensor) return '';
  const own = metric.advice && metric.advice !== CO2.advice ? metric.advice : '';
  if (!outdoors) return own;
  const outside = outdoors.air;
  const measuredAt = outside && (outside.measuredAt.pm25 ?? outside.newest);
  const known = {
    sensor: outdoors.sensor,
    ageMs: measuredAt === null ? null : now - Date.parse(measuredAt),
    pm25: outside && measuredValue(outside, PM25),
  };
  const room = { level, metric, pm25: measuredValue(air, PM25), co: measuredValue(air, CO) };
  const advice = outdoorAdvice(room, known, thresholds);
  return [advice?.replacesAdvice ? '' : own, advice?.text].filter(Boolean).join(' ');
}

const PM25 = metricOf('pm25');
const CO = metricOf('co');

/**
 * Returns text such as `CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.` The level changes later than the
 * value, so the text may explain why it hasn't changed yet.
 */
function valueText(
  air: SensorAir,
  state: Level,
  isBetter: boolean,
  timeOf: (time: string) => string,
  rules: EventRules,
  adviceOf: (metric: Metric) => string,
): string {
  const worst = worstOf(air, rules);
  if (!worst) return `The newest values have no levels: ${valuesOf(air, rules)}.`;
  const { metric, threshold: thresholds, value } = worst;
  const measuredAt = air.measuredAt[metric.field] ?? null;
  if (air.faultyAt?.[metric.field] && measuredAt !== null) {
    const was = `${metric.name} was ${formatWithUnit(metric, value, thresholds)}`;
    return `${was} at ${timeOf(measuredAt)}. Since then, the sensor reports a fault: check it.`;
  }
  const isModerate = isBetter ? state !== 'good' : state === 'poor';
  // A comfortable band may have no threshold for poor air.
  const name: ThresholdName = isModerate && Number.isFinite(thresholds.moderate) ? 'moderate' : 'good';
  const threshold = thresholds[name];
  const is = `${metric.name} is ${withUnit(metric, formatBeside(value, thresholds, metric))}`;
  const side = value < threshold ? 'below' : value > threshold ? 'above' : 'at';
  const text = [`${is}, ${side} ${threshold}`, sinceText(air, metric, name, timeOf, rules)]
    .filter(Boolean)
    .join(' ');
  const advice = isBetter ? '' : adviceOf(metric);
  const isOnBetterSide = isLowBad(thresholds) ? side !== 'below' : side === 'below';
  if (isOnBetterSide === isBetter) return [`${text}.`, advice].filter(Boolean).join(' ');
  const lasts = `for ${formatWholeMinutes(rules.afterMs)} yet`;
  return isBetter
    ? `${text}, but not ${lasts}.`
    : `${text}, but not ${isLowBad(thresholds) ? 'above' : 'below'} ${formatValue(clearLimit(thresholds, name, metric))} ${lasts}.`;
}

/** Returns text such as `since Fri 10:00, for 5 min`; null if the start is unknown. */
function sinceText(
  air: SensorAir,
  { field }: Metric,
  name: ThresholdName,
  timeOf: (time: string) => string,
  rules: EventRules,
): string | null {
  const side = sideOf(air, field, name, rules);
  if (!side) return null;
  const since = `since ${side.isAtLeast ? 'at least ' : ''}${timeOf(side.since)}`;
  const lastedMs = Date.parse(air.newest) - Date.parse(side.since);
  return lastedMs < 1000 ? since : `${since}, for ${formatWholeMinutes(lastedMs)}`;
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * Returns the metric with the worst value relative to its thresholds. Null if no metric with thresholds is known: the sensor has
 * none, or sends it no more.
 */
function worstOf(air: SensorAir, { thresholds }: Pick<EventRules, 'thresholds'>): MetricNow | null {
  const [first, ...others] = levelNow([air], thresholds).metrics;
  return first ? others.reduce((a, b) => (severityNow(b) > severityNow(a) ? b : a), first) : null;
}

/** Returns the name of the metric that is sent no more; undefined if no readings arrive at all. */
function lostName({ lost }: SensorAir): string | undefined {
  return lost && METRICS.find(({ field }) => field === lost.field)?.name;
}

/** Returns text such as `CO2 640 PPM, VOC 120 PPB`. */
function valuesOf(air: MetricValues, { thresholds }: EventRules): string {
  return METRICS.flatMap((metric) => {
    const value = air[metric.field] ?? null;
    return value === null ? [] : `${metric.name} ${formatWithUnit(metric, value, thresholds[metric.field])}`;
  }).join(', ');
}

/**
 * Returns `Fri 14:02` today, `Mon 23 Nov 22:24`, or `Wed 31 Dec 2025 22:24` in another year. Always includes the
 * weekday, because a message may be delivered a day later.
 */
export function clockTime(time: string, now: number, { timeZone }: EventRules): string {
  const [local, today] = [localIsoTime(timeZone, Date.parse(time)), localIsoTime(timeZone, now)];
  const day = new Date(local);
  const date =
    local.slice(0, 10) !== today.slice(0, 10) && `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
  const year = local.slice(0, 4) !== today.slice(0, 4) && local.slice(0, 4);
  return [WEEKDAYS[day.getUTCDay()], date, year, local.slice(11, 16)].filter(Boolean).join(' ');
}

export function linkTo(sensor: string, from: number, to: number, { publicUrl }: EventRules): string | null {
  if (publicUrl === null) return null;
  const span = {
    name: 'part',
    from: wholeMinute(from - AROUND_MS),
    to: wholeMinute(to + AROUND_MS),
  } as const;
  const query = spanQueries(`sensor=${encodeURIComponent(sensor)}`)(span);
  return `${publicUrl.replace(/\/+$/, '')}/history${query}`;
}

function wholeMinute(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000;
}
