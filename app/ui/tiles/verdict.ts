import { formatValue } from '../../readings/format/format-value';
import { LEVELS, type Level, levelOf, severityOf } from '../../readings/level/level';
import type { Threshold, Thresholds } from '../../readings/level/threshold';
import { type Metric, measuredMetrics } from '../../readings/metric';
import { type Freshness, readingsUntil } from '../../readings/now/freshness';
import { formatInterval, pauseMs, usualIntervalMs } from '../../readings/now/sampling-interval';
import { faultOf } from '../../readings/now/sensor-fault';
import type { Reading } from '../../readings/reading';
import { formatDuration } from '../../readings/time/format-duration';
import { lastingReadings, settlingReadings } from './level-history';
import { trendOf } from './trend';

/** What to do about the air now, and why. */
export interface Verdict {
  /** Null if the air isn't known. */
  level: Level | null;
  headline: string;
  /** The cause: value, trend and for how long. It changes with each reading. */
  detail: string;
}

/** What a verdict is about. */
interface Known {
  /** Oldest first. */
  readings: readonly Reading[];
  /** The newest reading; the one stored last if the newest is from the future. */
  last: Reading | null;
  thresholds: Thresholds;
  /** The age of the newest reading, formatted; a live one needs none. */
  age?: string;
}

const HEADLINES: Record<Level, string> = {
  good: 'Good air',
  moderate: 'Open a window soon',
  poor: 'Open a window now',
};

const UNKNOWN: Record<Exclude<Freshness, 'live' | 'slow'>, Verdict> = {
  none: { level: null, headline: 'No readings yet', detail: 'Waiting for the first one.' },
  ahead: { level: null, headline: 'The air is not known', detail: 'Waiting for the next reading.' },
  stale: {
    level: null,
    headline: 'The air is not known',
    detail: 'The sensor has stopped sending: check it.',
  },
  disconnected: {
    level: null,
    headline: 'The air is not known',
    detail: "New readings don't reach this page.",
  },
};

/**
 * Returns the verdict on the air: one without a level unless the last reading is live. Its level is the worst of the
 * `settlingReadings`, so it changes for the better only when that has lasted; the values in it are the newest. It judges
 * and names only the metrics that these readings have.
 */
export function verdictOf({ readings, last, thresholds, age }: Known, freshness: Freshness): Verdict {
  if (freshness !== 'live' && freshness !== 'slow') return UNKNOWN[freshness];
  if (!last) return UNKNOWN.none;
  const known = readingsUntil(readings, last);
  if (freshness === 'slow') {
    const detail = `Last reading ${age} ago; it sends ${formatInterval(usualIntervalMs(known) ?? 0)}.`;
    return { level: null, headline: UNKNOWN.stale.headline, detail };
  }
  const settling = settlingReadings(known);
  const { metric, level } = measuredMetrics(settling)
    .map((metric) => judge(metric, settling, thresholds[metric.field]))
    .reduce(worse);
  const threshold = thresholds[metric.field];
  const fault = faultOf(settling);
  if (fault && level === 'good') return { level: null, headline: 'Check the sensor', detail: `${fault}.` };
  const cause = `${causeOf(metric, known, level, threshold)}.`;
  if (level === 'good') return { level, headline: HEADLINES.good, detail: `Nothing to do. ${cause}` };
  const faultNow = faultOf([last]);
  const detail = faultNow ? `${cause} Check the sensor: ${faultNow}.` : cause;
  return { level, headline: HEADLINES[level], detail };
}

/** A metric, its worst level lately, and how bad its newest value is. */
interface Judged {
  metric: Metric;
  level: Level;
  severity: number;
}

function judge(metric: Metric, settling: readonly Reading[], threshold: Threshold): Judged {
  const values = settling.flatMap((reading) => reading[metric.field] ?? []);
  return {
    metric,
    level: levelOf(Math.max(...values), threshold),
    severity: severityOf(values.at(-1) as number, threshold),
  };
}

function worse(a: Judged, b: Judged): Judged {
  const byLevel = LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level);
  return (byLevel || b.severity - a.severity) > 0 ? b : a;
}

/**
 * Returns `CO2 is 2104 PPM and rising; above 1000 for 25 min`: for how long all readings of the metric are on the same side
 * of its good limit as the newest one.
 */
function causeOf(metric: Metric, readings: readonly Reading[], level: Level, threshold: Threshold): string {
  const { field, name, unit } = metric;
  const measured = readings.filter((reading) => reading[field] !== null);
  const newest = measured.at(-1) as Reading;
  const numberOf = (reading: Reading) => reading[field] as number;
  const value = numberOf(newest);
  const trend = trendOf(measured, field, threshold.good);
  const is = `${name} is ${formatValue(value, threshold)} ${unit}${trend === 'steady' ? '' : ` and ${trend}`}`;
  if (level === 'good') return is;
  const isGood = value < threshold.good;
  const { readings: lately, isAtLeast } = lastingReadings(
    measured,
    (reading) => numberOf(reading) < threshold.good === isGood,
  );
  const isAbove = lately.every((reading) => numberOf(reading) > threshold.good);
  const side = `${isGood ? 'below' : isAbove ? 'above' : 'at or above'} ${threshold.good}`;
  const ms = pauseMs(lately[0] as Reading, newest);
  if (ms < 1000) return isAtLeast ? is : `${is}; now ${side}`;
  return `${is}; ${side} for ${isAtLeast ? 'at least ' : ''}${formatDuration(ms)}`;
}
