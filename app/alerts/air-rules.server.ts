import { getEnv } from '../config/env.server';
import type { AirRules, AirState } from '../readings/air/air-state';

/** What pages need to judge the air as the server does, and which states they tell of. */
export interface PageRules extends AirRules {
  on: AirState[];
}

/** The defaults of the settings, which have no values of their own where nobody is notified by the server. */
const DEFAULTS: Omit<PageRules, 'thresholds'> = {
  afterMs: 5 * 60_000,
  silentAfterMs: 15 * 60_000,
  on: ['poor', 'silent'],
};

/** Returns the rules by which this server judges the air. */
export function airRules(): PageRules {
  const { alerts, thresholds } = getEnv();
  const { afterMs, silentAfterMs, on } = alerts ?? DEFAULTS;
  return { thresholds, afterMs, silentAfterMs, on };
}
