import { fitValue } from '../format/format-short';
import { formatValue } from '../format/format-value';
import { LEVELS, type Level, levelOf } from '../level/level';
import type { Thresholds } from '../level/threshold';
import { measuredMetrics } from '../metric';
import type { SensorSummary } from '../reading';
import { sensorLabel } from '../sensor';
import { formatDuration } from '../time/format-duration';
import { MAX_STALE_MS } from '../time/stale-age';
import { type Freshness, isAhead } from './freshness';
import { faultOf } from './sensor-fault';

/** The strip has room for this many characters of a value. */
const ROOM = 7;

/** How a sensor stands among the others, by its newest reading. */
export interface SensorStanding {
  name: string;
  /** CO2, or VOC where the sensor doesn't measure that, with its unit. */
  value: string;
  /** The worst level of the reading; null if it is good only because the sensor has a fault, as in the verdict. */
  level: Level | null;
  /** The metric of that level, if it isn't the one in `value`. */
  cause: string | null;
  freshness: Freshness;
  /** The age of the reading: `12 s ago`. */
  age: string;
}

/**
 * Returns how a sensor stands.
 *
 * @param now the server's clock in milliseconds
 * @param known the freshness of the newest reading if more of the sensor is known than that. One reading doesn't tell
 *   a slow sensor's interval, so it is stale when no sensor's would be live.
 */
export function standingOf(
  { name, newest }: SensorSummary,
  thresholds: Thresholds,
  now: number,
  known?: Freshness,
): SensorStanding {
  const judged = measuredMetrics([newest]).map((metric) => {
    const threshold = thresholds[metric.field];
    const value = newest[metric.field] as number;
    const level = levelOf(value, threshold);
    return { metric, level, text: `${fitValue(formatValue(value, threshold), ROOM)} ${metric.unit}` };
  });
  const worst = judged.reduce((a, b) => (LEVELS.indexOf(b.level) > LEVELS.indexOf(a.level) ? b : a));
  const ageMs = now - Date.parse(newest.created_at);
  const freshness = known ?? (isAhead(newest, now) ? 'ahead' : ageMs > MAX_STALE_MS ? 'stale' : 'live');
  return {
    name,
    value: judged[0]?.text ?? '',
    level: worst.level === 'good' && faultOf([newest]) ? null : worst.level,
    cause: worst === judged[0] ? null : worst.metric.name,
    freshness,
    age: freshness === 'ahead' ? 'time not known' : `${formatDuration(ageMs)} ago`,
  };
}

/** Orders sensors: the worst air first, then by name. Those of which the air isn't known come last. */
export function compareStandings(a: SensorStanding, b: SensorStanding): number {
  // Not `localeCompare`: the order of the server's language would differ from the viewer's.
  return rankOf(a) - rankOf(b) || (sensorLabel(a.name) < sensorLabel(b.name) ? -1 : 1);
}

/** While the page is disconnected nothing more is learnt of any sensor, so that they keep their order. */
function rankOf({ freshness, level }: SensorStanding): number {
  const isKnown = freshness === 'live' || freshness === 'disconnected';
  return isKnown && level ? LEVELS.length - LEVELS.indexOf(level) : LEVELS.length + 1;
}
