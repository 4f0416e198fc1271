import { LEVELS, type Level } from '../level/level';
import type { SensorAir } from './air-state';

/** What is known of a sensor's air. */
export interface KnownAir {
  air: SensorAir;
  /** The time of a reading before which nothing is known, such as the first after a silence; null if there is none. */
  knownFrom: string | null;
}

/** Since when the air has a level. */
export interface LevelSince {
  level: Level;
  since: string;
  /** True if it may have had it for longer. */
  isAtLeast: boolean;
}

/**
 * Returns since when the air has a level, by the rules of the notifications; null if it hasn't by them. A worse level
 * than theirs began with the run of readings beyond its limit, which is too short for them yet.
 */
export function levelSince({ air, knownFrom }: KnownAir, level: Level): LevelSince | null {
  const [rank, known] = [LEVELS.indexOf(level), LEVELS.indexOf(air.level)];
  const since = rank === known ? air.levelSince : rank > known ? air.pending[rank - 1] : null;
  return since ? { level, since, isAtLeast: since === knownFrom } : null;
}
