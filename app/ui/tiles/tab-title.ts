import { formatValue } from '../../readings/format/format-value';
import { type Level, levelOf } from '../../readings/level/level';
import type { Thresholds } from '../../readings/level/threshold';
import { CO2, type Metric, measuredMetrics } from '../../readings/metric';
import type { Freshness } from '../../readings/now/freshness';
import type { Reading } from '../../readings/reading';
import { formatDuration } from '../../readings/time/format-duration';

/** The title of the dashboard while there is nothing to say about the air. */
export const DASHBOARD_TITLE = 'airboard: know when to open a window';

interface Known {
  /** The newest reading; null while there are none. */
  last: Reading | null;
  /** The level of the verdict; null if the air is not known. */
  level: Level | null;
  freshness: Freshness;
  /** The age of the reading in milliseconds. */
  ageMs: number | null;
  thresholds: Thresholds;
  /** The page's name for its sensor; null if it doesn't mention it. */
  sensor: string | null;
}

/**
 * Returns what the dashboard's tab says: CO2 and the level of the verdict, `862 PPM, good – airboard`, or why the air
 * isn't known. Another metric is added if it has the worse level: `862 PPM, poor (VOC 900 PPB) – airboard`. A sensor's name
 * stands before `airboard`.
 */
export function tabTitle(known: Known): string {
  const state = stateOf(known);
  const { sensor } = known;
  if (!state && !sensor) return DASHBOARD_TITLE;
  return [state, sensor, 'airboard'].filter(Boolean).join(' – ');
}

function stateOf({ last, level, freshness, ageMs, thresholds }: Known): string | null {
  if (freshness === 'disconnected') return 'offline';
  if (!last) return null;
  const age = formatDuration(ageMs ?? 0);
  if (freshness === 'stale') return `no reading for ${age}`;
  if (freshness === 'slow') return `last reading ${age} ago`;
  if (!level) return freshness === 'live' ? 'check the sensor' : 'air not known';
  const measured = measuredMetrics([last]);
  const main = measured[0] ?? CO2;
  const number = ({ field }: Metric) => last[field] ?? Number.NaN;
  const isCause = (metric: Metric) => levelOf(number(metric), thresholds[metric.field]) === level;
  const cause = isCause(main) ? undefined : measured.find(isCause);
  const value = (metric: Metric) => `${formatValue(number(metric), thresholds[metric.field])} ${metric.unit}`;
  return `${value(main)}, ${level}${cause ? ` (${cause.name} ${value(cause)})` : ''}`;
}
