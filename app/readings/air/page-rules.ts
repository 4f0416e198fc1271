import type { AirRules, AirState } from './air-state';

/** What a page needs to judge the air as the server does, and which states it tells of. */
export interface PageRules extends AirRules {
  on: AirState[];
}

/** The defaults of the settings, which have no values where the server notifies nobody. */
export const DEFAULT_RULES: Omit<PageRules, 'thresholds'> = {
  afterMs: 5 * 60_000,
  silentAfterMs: null,
  on: ['poor', 'silent'],
};
