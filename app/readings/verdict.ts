import type { Freshness } from './freshness';
import type { Level } from './level';

/** A sentence about the air now, and advice. */
export interface Verdict {
  level: Level | null;
  text: string;
  advice: string;
}

const KNOWN: Record<Level, Verdict> = {
  good: { level: 'good', text: 'Good air', advice: 'Nothing to do.' },
  moderate: { level: 'moderate', text: 'Open a window soon', advice: 'The air is getting stuffy.' },
  poor: { level: 'poor', text: 'Open a window now', advice: 'The air is poor.' },
};

const UNKNOWN: Record<Exclude<Freshness, 'live'>, Verdict> = {
  none: { level: null, text: 'No readings yet', advice: 'Waiting for the first one.' },
  ahead: { level: null, text: 'The air is not known', advice: 'Waiting for the next reading.' },
  stale: { level: null, text: 'The air is not known', advice: 'The sensor has gone quiet: check it.' },
  disconnected: { level: null, text: 'The air is not known', advice: "New readings don't reach this page." },
};

/** Returns the verdict on a level; one without a level unless the newest reading is live. */
export function verdictOf(level: Level | null, freshness: Freshness): Verdict {
  if (freshness !== 'live') return UNKNOWN[freshness];
  return level ? KNOWN[level] : UNKNOWN.none;
}
