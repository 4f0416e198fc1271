import { parseEnv } from '../../app/config/env.server';

/** The limits of an installation that sets none. */
export const { thresholds: THRESHOLDS } = parseEnv({});
