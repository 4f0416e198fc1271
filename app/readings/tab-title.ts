import { formatDuration } from './format-duration';
import { formatValue } from './format-value';
import type { Freshness } from './freshness';
import { type Level, levelOf } from './level';
import { CO2, METRICS, type Metric } from './metric';
import type { Reading } from './reading';
import type { Thresholds } from './threshold';

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
}

/**
 * Returns what the dashboard's tab says: CO2 and the level of the verdict, `862 PPM, good – airboard`, or why the air
 * isn't known. Another metric is added if the level is its doing: `862 PPM, poor (VOC 900 PPB) – airboard`.
 */
export function tabTitle(known: Known): string {
  const state = stateOf(known);
  return state ? `${state} – airboard` : DASHBOARD_TITLE;
}

function stateOf({ last, level, freshness, ageMs, thresholds }: Known): string | null {
  if (freshness === 'disconnected') return 'offline';
  if (!last) return null;
  if (freshness === 'stale') return `no reading for ${formatDuration(ageMs ?? 0)}`;
  if (!level) return freshness === 'live' ? 'check the sensor' : 'air not known';
  const isCause = ({ field }: Metric) => levelOf(last[field], thresholds[field]) === level;
  const cause = isCause(CO2) ? undefined : METRICS.find(isCause);
  const value = ({ field, unit }: Metric) => `${formatValue(last[field], thresholds[field])} ${unit}`;
  return `${value(CO2)}, ${level}${cause ? ` (${cause.name} ${value(cause)})` : ''}`;
}
