import { singleton } from '../config/singleton.server';
import { dropOldest } from '../readings/drop-oldest';
import { counted } from '../readings/format/counted.js';
import { METRICS } from '../readings/metric';
import { quoted } from './parse-reading.server';

/** The most sensors, and metrics of sensors, to remember. A forgotten one is logged again. */
const MOST_LOGGED = 5000;

const METRIC_NAMES = new Set<string>(METRICS.map(({ field }) => field));

const logged = singleton('ignored-members', () => new Set<string>());

/**
 * Returns a line for the log about the ignored members of a reading, or undefined if the sensor had them before: its next
 * readings are likely to have the same members. Metrics are logged one by one, because a sensor may fail later.
 */
export function firstIgnored(sensor: string, names: readonly string[] = []): string | undefined {
  const unknown = names.filter((name) => !METRIC_NAMES.has(name));
  const failed = names.filter((name) => METRIC_NAMES.has(name) && isFirst([sensor, name]));
  const of = sensor ? ` of ${quoted([sensor])}` : '';
  const lines: string[] = [];
  if (unknown.length > 0 && isFirst([sensor])) {
    lines.push(`Stored without ${counted(unknown.length, 'unknown member')}${of}: ${quoted(unknown)}.`);
  }
  if (failed.length > 0) lines.push(`Stored without ${quoted(failed)}${of}, whose value isn't a number.`);
  return lines.length > 0 ? `${lines.join(' ')} Logged once for a sensor.` : undefined;
}

function isFirst(key: string[]): boolean {
  const text = JSON.stringify(key);
  if (logged.has(text)) return false;
  logged.add(text);
  dropOldest(logged, MOST_LOGGED);
  return true;
}
