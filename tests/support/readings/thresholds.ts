import { parseEnv } from '../../../app/config/env.server';

/** The limits of an installation that sets none. */
export const { thresholds: THRESHOLDS } = parseEnv({});

/** The rules of an installation that sets none. */
export const RULES = { thresholds: THRESHOLDS, afterMs: 300_000, silentAfterMs: 900_000 };
