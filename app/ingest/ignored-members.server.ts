import { singleton } from '../config/singleton.server';
import { dropOldest } from '../readings/drop-oldest';
import { counted } from '../readings/format/counted.js';
import { quoted } from './parse-reading.server';

/** The most sensors to remember. A forgotten one is logged again. */
const MOST_SENSORS = 5000;

const logged = singleton('ignored-members', () => new Set<string>());

/**
 * Returns a line for the log about the ignored members of a reading, or undefined if the sensor had one before: its next
 * readings are likely to have the same members.
 */
export function firstIgnored(sensor: string, names: readonly string[] = []): string | undefined {
  if (names.length === 0 || logged.has(sensor)) return undefined;
  logged.add(sensor);
  dropOldest(logged, MOST_SENSORS);
  const of = sensor ? ` of ${quoted([sensor])}` : '';
  return `Stored without ${counted(names.length, 'unknown member')}${of}: ${quoted(names)}. Logged once for a sensor.`;
}
