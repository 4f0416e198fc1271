import { getEnv } from '../config/env.server';
import { DEFAULT_RULES, type PageRules } from '../readings/air/page-rules';

/** Returns the rules by which this server judges the air. */
export function airRules(): PageRules {
  const { alerts, thresholds } = getEnv();
  const { afterMs, silentAfterMs, on } = alerts ?? DEFAULT_RULES;
  return { thresholds, afterMs, silentAfterMs, on };
}
