import { useEffect } from 'react';
import { formatWithUnit } from '../readings/format/format-value';
import type { Level } from '../readings/level/level';
import { METRICS, type Metric, measuredMetrics, type Thresholds } from '../readings/metric';
import { levelNow, type MetricNow, otherCause } from '../readings/now/level-now';
import type { Freshness } from '../readings/now/stale';
import type { Reading } from '../readings/reading';
import { formatDuration } from '../readings/time/durations';

export const DASHBOARD_TITLE = 'airboard: know when to open a window';

interface Known {
  last: Reading | null;
  level: Level | null;
  freshness: Freshness;
  ageMs: number | null;
  thresholds: Thresholds;
  /** All metrics, in the viewer's units. */
  metrics?: readonly Metric[];
  /** The page's name for its sensor; null if it doesn't mention it. */
  sensor: string | null;
}

/** Returns `862 PPM, poor (VOC 900 PPB) – Bedroom – airboard`, or a title with the reason why the air is unknown. */
export function tabTitle(known: Known): string {
  const state = stateOf(known);
  const { sensor } = known;
  if (!state && !sensor) return DASHBOARD_TITLE;
  return [state, sensor, 'airboard'].filter(Boolean).join(' – ');
}

function stateOf({ last, level, freshness, ageMs, thresholds, metrics = METRICS }: Known): string | null {
  if (freshness === 'disconnected') return 'offline';
  if (!last) return null;
  const age = formatDuration(ageMs ?? 0);
  if (freshness === 'stale' || freshness === 'checking') return `no reading for ${age}`;
  if (freshness === 'slow') return `last reading ${age} ago`;
  if (!level && freshness !== 'live') return 'air not known';
  const now = levelNow([last], thresholds);
  const [first] = now.metrics;
  if (!level && (first || now.fault)) return 'check the sensor';
  if (!first) return [firstValue(last, metrics), level].filter(Boolean).join(', ');
  const text = ({ metric, value, threshold }: MetricNow) => formatWithUnit(metric, value, threshold);
  const cause = otherCause(now, level);
  return `${text(first)}, ${level}${cause ? ` (${cause.metric.name} ${text(cause)})` : ''}`;
}

/** Returns the first value of a reading: `21.4 °C`. */
function firstValue(reading: Reading, metrics: readonly Metric[]): string {
  const [metric] = measuredMetrics([reading], metrics);
  return metric ? formatWithUnit(metric, reading[metric.field] ?? 0) : '';
}

/** Sets the tab's title; null leaves it unchanged. */
export function useTabTitle(text: string | null): void {
  useEffect(() => {
    if (text !== null) document.title = text;
  }, [text]);
}
