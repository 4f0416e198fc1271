import { compareTimes, type Reading } from '../reading';
import type { AirRules } from './air-state';
import { judgeReading } from './judge-reading';
import type { KnownAir } from './level-since';

/**
 * Judges readings, oldest first, after those that a known air was judged by.
 *
 * @param before null for a sensor of which nothing is known
 */
export function airAfter(
  before: KnownAir | null,
  readings: readonly Reading[],
  rules: AirRules,
): KnownAir | null {
  let known = before;
  for (const reading of readings) {
    if (known && compareTimes(reading.created_at, known.air.newest) <= 0) continue;
    const { air, transitions } = judgeReading(known?.air ?? null, reading, rules);
    const at = reading.created_at;
    // The level may not have lasted through a silence.
    if (transitions.some(({ from }) => from === 'silent'))
      known = { air: { ...air, levelSince: at }, knownFrom: at };
    else known = { air, knownFrom: known ? known.knownFrom : at };
  }
  return known;
}

/**
 * Makes a function that judges a page's readings, oldest first, and is called whenever they have changed. It judges only
 * what is new, unless readings came late.
 *
 * @param base what was known of the air before, as long as the readings are of that sensor
 */
export function followAir(base: KnownAir | null, rules: AirRules) {
  let judged: readonly Reading[] = [];
  let known = base;
  return (readings: readonly Reading[]): KnownAir | null => {
    const added = addedTo(judged, readings);
    known = airAfter(added ? known : base, added ?? readings, rules);
    judged = readings;
    return known;
  };
}

/** Returns the readings after the old ones; null if others have come among or before those. */
function addedTo(old: readonly Reading[], readings: readonly Reading[]): readonly Reading[] | null {
  const [newest, first] = [old.at(-1), readings[0]];
  if (!newest || !first) return null;
  const at = readings.lastIndexOf(newest);
  // A full history has lost its oldest ones.
  const lost = old.indexOf(first);
  return at >= 0 && lost >= 0 && old.length - lost === at + 1 ? readings.slice(at + 1) : null;
}
