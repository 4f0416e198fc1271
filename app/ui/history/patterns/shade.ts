import { LEVELS, type Level, levelOf, severityOf, type Threshold } from '../../../readings/level/level';

/** How many shades each level has. */
export const SHADES = 3;

/** A level, and how deep in it a value lies: from 1 to `SHADES`, the deepest for the worst. */
export interface Shade {
  level: Level;
  depth: number;
}

/** Returns the shade of a value. The poor level has no end: its shades divide as much as the moderate level spans. */
export function shadeOf(value: number, threshold: Threshold): Shade {
  const level = levelOf(value, threshold);
  const depth = Math.floor((severityOf(value, threshold) - LEVELS.indexOf(level)) * SHADES) + 1;
  return { level, depth: Math.min(SHADES, Math.max(1, depth)) };
}
