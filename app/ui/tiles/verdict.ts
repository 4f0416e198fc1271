import { at } from '../../readings/at';
import { formatBeside, formatValue, formatWithUnit, withUnit } from '../../readings/format/format-value';
import { isLowBad, LEVELS, type Level, levelOf, levelWords } from '../../readings/level/level';
import {
  CO2,
  METRICS,
  type Metric,
  type MetricField,
  metricOf,
  type Threshold,
  type Thresholds,
} from '../../readings/metric';
import {
  levelNow,
  type MetricNow,
  type SensorFault,
  settlingReadings,
  severityNow,
} from '../../readings/now/level-now';
import {
  type Freshness,
  isAfterSilence,
  MAX_STALE_MS,
  msBetween,
  readingsUntil,
  usualIntervalMs,
} from '../../readings/now/stale';
import { measuredValue, type Reading } from '../../readings/reading';
import { type IndoorAir, type OutdoorAdvice, outdoorAdvice } from '../../readings/room/outdoor-advice';
import type { MoistureAnswer, VentilationAnswer } from '../../readings/room/ventilation-answer';
import { formatDuration, formatLongDuration } from '../../readings/time/durations';
import { formatReading } from '../readings-table';
import { type AiringProgress, airingAdvice, airingText, forecastText } from '../room/airing-texts';
import { dryAiringText, moistureAdvice } from '../room/moisture-texts';

export interface Verdict {
  level: Level | null;
  headline: string;
  /** The cause: value, trend and duration. Changes with each reading. */
  detail: string;
  /** The progress of an airing, while a window is open. */
  progress?: AiringProgress | null;
  /** The metric whose values are why the sensor has to be checked. Its tile isn't called good. */
  faulty?: MetricField;
}

interface Known {
  readings: readonly Reading[];
  /** The newest reading, or the one stored last if the newest is from the future. */
  last: Reading | null;
  thresholds: Thresholds;
  /** The formatted age of the newest reading, if that isn't live. */
  age?: string;
  /** True if the sensor has sent nothing for so long that it has to be checked. */
  isSilent?: boolean;
  /** True for the sensor outdoors, which gets no advice. */
  isOutdoors?: boolean;
  /** All metrics, in the viewer's units. */
  metrics?: readonly Metric[];
  /** The ventilation of the sensor's room, if known. */
  ventilation?: VentilationAnswer | null;
}

const HEADLINES: Record<Level, string> = {
  good: 'Good air',
  moderate: 'Open a window soon',
  poor: 'Open a window now',
};

/** The headlines if something other than an open window helps. The detail then contains the advice. */
const OTHER_HEADLINES: Record<Level, string> = {
  good: HEADLINES.good,
  moderate: 'Moderate air',
  poor: 'Poor air',
};

const OUTDOOR_HEADLINES: Record<Level, string> = {
  good: 'Good air outdoors',
  moderate: 'Moderate air outdoors',
  poor: 'Poor air outdoors',
};

const UNKNOWN: Record<Exclude<Freshness, 'live' | 'slow'>, Verdict> = {
  none: { level: null, headline: 'No readings yet', detail: 'Waiting for the first one.' },
  ahead: { level: null, headline: 'The air is not known', detail: 'Waiting for the next reading.' },
  stale: { level: null, headline: 'The air is not known', detail: 'No readings arrive.' },
  checking: {
    level: null,
    headline: 'The air is not known',
    detail: 'No readings arrive. Checking the connection…',
  },
  disconnected: {
    level: null,
    headline: 'The air is not known',
    detail: "New readings don't reach this page.",
  },
};

/** Returns the verdict: the worst level of the `settlingReadings`, with the newest values. */
export function verdictOf(
  {
    readings,
    last,
    thresholds,
    age,
    isSilent = false,
    isOutdoors = false,
    metrics: all = METRICS,
    ventilation = null,
  }: Known,
  freshness: Freshness,
): Verdict {
  if (freshness === 'stale' && isSilent) {
    return { ...UNKNOWN.stale, detail: 'The sensor has stopped sending: check it.' };
  }
  if (freshness !== 'live' && freshness !== 'slow') return UNKNOWN[freshness];
  if (!last) return UNKNOWN.none;
  const known = readingsUntil(readings, last);
  if (freshness === 'slow') {
    const detail = `Last reading ${age} ago; it sends ${formatInterval(usualIntervalMs(known) ?? 0)}.`;
    return { level: null, headline: UNKNOWN.stale.headline, detail };
  }
  const { level, metrics, fault } = levelNow(settlingReadings(known), thresholds);
  const moisture = (!isOutdoors && ventilation?.moisture) || null;
  if (level === null && !fault) {
    const lost = lostText(known, last, thresholds);
    if (lost) return { level, headline: UNKNOWN.stale.headline, detail: lost };
    if (moisture && ventilation) return humidityVerdict(last, { ...ventilation, moisture }, thresholds, all);
    const detail = `${formatReading(last, all)}. ${NO_LEVELS}`;
    return { level, headline: 'No verdict on the air', detail };
  }
  if (level === null) {
    const detail = fault ? `${faultText(fault)}.` : '';
    return { level, headline: 'Check the sensor', detail, faulty: fault?.metric.field };
  }
  const { metric, threshold, level: metricLevel } = metrics.reduce((a, b) => (isWorseThan(a, b) ? b : a));
  const shownMetric = all.find(({ field }) => field === metric.field) ?? metric;
  const cause = `${causeOf(shownMetric, known, level, threshold)}.`;
  if (isOutdoors) return { level, headline: OUTDOOR_HEADLINES[level], detail: cause };
  const newestCo2 = known.findLast((reading) => measuredValue(reading, CO2) !== null);
  const inCo2 =
    ventilation &&
    newestCo2 &&
    airingText(ventilation, { value: newestCo2.co2 ?? 0, time: newestCo2.created_at }, thresholds.co2);
  const airing = inCo2 ?? (moisture && dryAiringText(moisture, last.created_at));
  const isEnough = (inCo2 ? ventilation?.airing : moisture?.airing)?.is_enough ?? false;
  const co2Level = metrics.find((each) => each.metric === CO2)?.level ?? 'good';
  const [pm25, co] = [measuredValue(last, PM25), measuredValue(last, CO)];
  const room = { level, metric, pm25, co, isAiring: !!airing && !isEnough };
  const outdoors = outdoorsOf(ventilation, room, thresholds);
  const water = moisture
    ? moistureAdvice(moisture, measuredValue(last, HUMIDITY), isClosedFor(outdoors))
    : '';
  if (airing && level === (inCo2 ? co2Level : 'good'))
    return { level, ...airing, detail: joined(airing.detail, outdoors?.text) };
  // The air isn't good enough while another metric is worse than CO2.
  if (airing && !isEnough) return { level, ...airing, detail: joined(airing.detail, cause, outdoors?.text) };
  if (level === 'good') {
    const forecast = ventilation ? forecastText(ventilation, metric === CO2 ? undefined : CO2.name) : '';
    const detail = joined(outdoors || water ? '' : 'Nothing to do.', cause, forecast, water, outdoors?.text);
    return { level, headline: HEADLINES.good, detail };
  }
  const faultNow = levelNow([last], thresholds).fault;
  const advice = ventilation && co2Level !== 'good' ? airingAdvice(ventilation) : '';
  const causes = joined(cause, outdoors?.headline ? '' : advice, water, outdoors?.text);
  const detail = faultNow ? `${causes} Check the sensor: ${faultText(faultNow)}.` : causes;
  if (metric.comfort) {
    const words = levelWords(metric, threshold, metricLevel);
    return { level, headline: `${words.charAt(0).toUpperCase()}${words.slice(1)}`, detail };
  }
  const opensWindow = metric.advice === CO2.advice;
  const headline = outdoors?.headline ?? (opensWindow ? HEADLINES : OTHER_HEADLINES)[level];
  // Outdoor air says more than the metric's own advice.
  if (opensWindow || outdoors?.replacesAdvice) return { level, headline, detail };
  return { level, headline, detail: joined(metric.advice, detail) };
}

const NO_LEVELS = 'The sensor measures nothing that has levels.';

/** Returns the verdict on the air of a sensor that measures nothing with levels, from its humidity and the air outdoors. */
function humidityVerdict(
  last: Reading,
  ventilation: VentilationAnswer & { moisture: MoistureAnswer },
  thresholds: Thresholds,
  metrics: readonly Metric[],
): Verdict {
  const { moisture } = ventilation;
  const airing = dryAiringText(moisture, last.created_at);
  const isAiring = airing !== null && !moisture.airing?.is_enough;
  const room = { level: 'good', metric: HUMIDITY, pm25: null, co: null, isAiring } as const;
  const outdoors = outdoorsOf(ventilation, room, thresholds);
  const water = moistureAdvice(moisture, measuredValue(last, HUMIDITY), isClosedFor(outdoors));
  if (airing) return { level: null, ...airing, detail: joined(airing.detail, water, outdoors?.text) };
  const headline = moisture.mould?.risk === 'likely' ? 'Risk of mould' : 'No verdict on the air';
  const values = `${formatReading(last, metrics)}.`;
  return { level: null, headline, detail: joined(values, water || NO_LEVELS, outdoors?.text) };
}

const isClosedFor = (outdoors: OutdoorAdvice | null) => ({
  isBadOutdoors: outdoors?.replacesAdvice ?? false,
});

const joined = (...texts: (string | undefined)[]) => texts.filter(Boolean).join(' ');

const HUMIDITY = metricOf('humidity');
const PM25 = metricOf('pm25');
const CO = metricOf('co');

/** Returns what outdoor air changes about the verdict; null if nothing, or if no sensor is outdoors. */
function outdoorsOf(
  ventilation: VentilationAnswer | null,
  room: IndoorAir,
  thresholds: Thresholds,
): OutdoorAdvice | null {
  const outdoors = ventilation?.outdoors;
  if (!ventilation || !outdoors) return null;
  const ageMs = outdoors.at === null ? null : Date.parse(ventilation.at) - Date.parse(outdoors.at);
  return outdoorAdvice(room, { ...outdoors, ageMs }, thresholds);
}

/** Returns text about the metric with levels that the newest readings lack; null if the sensor has none. */
function lostText(known: readonly Reading[], last: Reading, thresholds: Thresholds): string | null {
  const hasLevels = (reading: Reading) =>
    METRICS.find(({ field }) => thresholds[field] && (reading[field] ?? null) !== null);
  const reading = known.findLast(hasLevels);
  const metric = reading && hasLevels(reading);
  if (!metric) return null;
  const ms = msBetween(reading, last);
  const advice = ms > MAX_STALE_MS ? ' Check the sensor.' : '';
  return `The newest readings have no ${metric.name}, which was last measured ${formatDuration(ms)} before them.${advice}`;
}

/** Returns true if `b` is the worse metric: by level, then by the newest value. */
function isWorseThan(a: MetricNow, b: MetricNow): boolean {
  const byLevel = LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level);
  return (byLevel || severityNow(b) - severityNow(a)) > 0;
}

/** Formats an interval, rounded to minutes: `every hour`, `every 10 min`, `every day`. */
export function formatInterval(ms: number): string {
  const text = formatLongDuration(Math.round(ms / 60_000) * 60_000);
  return `every ${{ '1 h': 'hour', '1 d': 'day' }[text] ?? text}`;
}

function faultText({ metric, value, isNow }: SensorFault): string {
  const { name, plausible } = metric;
  const shown = formatWithUnit(metric, value, { good: plausible.from, moderate: plausible.to });
  const reason =
    value > plausible.to
      ? 'more than the sensor can measure'
      : metric === CO2
        ? 'less than the air outdoors has'
        : 'which is not possible';
  return `${name} ${isNow ? `is ${shown}` : `was ${shown} just now`}, ${reason}`;
}

/** Returns `CO2 is 2104 PPM and rising; above 1000 for 25 min`, with the time since the value crossed the good threshold. */
function causeOf(metric: Metric, readings: readonly Reading[], level: Level, threshold: Threshold): string {
  const { field, name } = metric;
  const measured = readings.flatMap((reading) => {
    const value = measuredValue(reading, metric);
    return value === null ? [] : [{ reading, value }];
  });
  const given = measured.map(({ reading }) => reading);
  const newest = at(measured, measured.length - 1);
  const trend = trendOf(given, field, threshold.good);
  const shown =
    level === 'good'
      ? formatWithUnit(metric, newest.value, threshold)
      : withUnit(metric, formatBeside(newest.value, threshold, metric));
  const is = `${name} is ${shown}${trend === 'steady' ? '' : ` and ${trend}`}`;
  if (level === 'good') return is;
  const isGoodValue = (value: number) => levelOf(value, threshold) === 'good';
  const isGood = isGoodValue(newest.value);
  // Stop at a silence, because the air is unknown during it.
  let first = measured.length - 1;
  while (!isAfterSilence(given, first) && isGoodValue(at(measured, first - 1).value) === isGood) first -= 1;
  const isAtLeast = isAfterSilence(given, first);
  const isAbove = measured.slice(first).every(({ value }) => value > threshold.good);
  const isBelow = isLowBad(threshold) !== isGood;
  const limit = metric.shown ? formatValue(threshold.good, undefined, metric) : threshold.good;
  const side = `${isBelow ? 'below' : isAbove ? 'above' : 'at or above'} ${limit}`;
  const ms = msBetween(at(given, first), newest.reading);
  if (ms < 1000) return isAtLeast ? is : `${is}; now ${side}`;
  return `${is}; ${side} for ${isAtLeast ? 'at least ' : ''}${formatDuration(ms)}`;
}

export type Trend = 'rising' | 'falling' | 'steady';

const TREND_MS = 600_000;

/** A slope counts if it exceeds this many standard errors, which noise alone does in 3 of 1000 cases. */
const STANDARD_ERRORS = 3;

/** A change counts from this share of the good threshold on: 20 PPM for CO2. */
const LEAST_CHANGE = 0.02;

/** Replaces the good threshold for metrics without one: a change counts from half a degree, percent or hPa on. */
const SCALE_WITHOUT_THRESHOLD = 25;

/** Fewer readings than this need a larger change, because their noise is hard to estimate. */
const FEW_READINGS = 5;
const LEAST_CHANGE_OF_FEW = 0.05;

/** Returns a metric's current trend. Readings are oldest first. */
export function trendNow(readings: readonly Reading[], { field }: Metric, thresholds: Thresholds): Trend {
  return trendOf(readings, field, thresholds[field]?.good ?? SCALE_WITHOUT_THRESHOLD);
}

/** Returns the trend over the 10 minutes before the newest reading, by least squares. Readings are oldest first. */
export function trendOf(readings: readonly Reading[], field: MetricField, good: number): Trend {
  const points = latestPoints(readings, field);
  const { length } = points;
  const mean = { x: average(points.map(({ x }) => x)), y: average(points.map(({ y }) => y)) };
  const deviations = points.map(({ x, y }) => ({ x: x - mean.x, y: y - mean.y }));
  const spread = sum(deviations.map(({ x }) => x * x));
  // There are fewer than two readings, or all have the same time.
  if (!(spread > 0)) return 'steady';
  const slope = sum(deviations.map(({ x, y }) => x * y)) / spread;
  const residual = sum(deviations.map(({ x, y }) => (y - slope * x) ** 2));
  const standardError = length > 2 ? Math.sqrt(residual / (length - 2) / spread) : 0;
  const change = Math.abs(slope * ((points[0]?.x ?? 0) - (points.at(-1)?.x ?? 0)));
  const least = (length < FEW_READINGS ? LEAST_CHANGE_OF_FEW : LEAST_CHANGE) * good;
  // Negated, because huge values overflow to NaN, which must count as steady.
  if (!(change >= least && Math.abs(slope) > STANDARD_ERRORS * standardError)) return 'steady';
  return slope > 0 ? 'rising' : 'falling';
}

/** Returns the values of the last 10 minutes, but none before a silence, newest first; `x` is in milliseconds. */
function latestPoints(readings: readonly Reading[], field: MetricField): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = [];
  const metric = metricOf(field);
  const newest = readings.at(-1);
  for (let i = readings.length - 1; newest && i >= 0; i--) {
    const reading = at(readings, i);
    const x = msBetween(newest, reading);
    if (-x > TREND_MS) break;
    const y = measuredValue(reading, metric);
    if (y !== null) points.push({ x, y });
    if (isAfterSilence(readings, i)) break;
  }
  return points;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function average(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}
