import type { Level } from '../level/level';
import { compareTimes, type Reading } from '../reading';
import type { AirRules } from './air-state';
import { judgeReading } from './judge-reading';
import { type KnownAir, type LevelSince, levelSince } from './level-since';

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
    const at = reading.created_at;
    if (known && compareTimes(at, known.air.newest) <= 0) continue;
    const { air, transitions } = judgeReading(known?.air ?? null, reading, rules);
    const isBack = transitions.some(({ from }) => from === 'silent');
    // The level may not have lasted through a silence.
    if (isBack) known = { air: { ...air, levelSince: at }, knownFrom: at };
    else known = { air, knownFrom: known ? known.knownFrom : at };
  }
  return known;
}

/**
 * Makes a function that judges a page's readings, oldest first, whenever they have changed, and returns one that says since
 * when the air has a level. It judges only what is new, unless readings came late.
 *
 * @param before what the server knew of the time before them; null if nothing
 */
export function followAir(before: LevelSince | null, rules: AirRules) {
  let judged: readonly Reading[] = [];
  let known: KnownAir | null = null;
  return (readings: readonly Reading[]) => {
    const added = addedTo(judged, readings);
    const now = airAfter(added && known, added ?? readings, rules);
    judged = readings;
    known = now;
    return (level: Level): LevelSince | null => {
      const lasts = now && levelSince(now, level);
      const isKnownBefore = lasts?.isAtLeast && before?.level === level && before.since < lasts.since;
      return isKnownBefore ? before : lasts;
    };
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
