import { clockFault } from '../config/clock.server';
import { VERSION } from '../config/version.server';
import type { ApiHandler } from '../http/answer';
import { jsonResponse } from '../http/json-response.server';
import { isAhead } from '../readings/now/stale';
import { getStore } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';

/**
 * GET /healthz: the store's health, airboard's version, and the age of the newest reading in seconds (null without readings).
 * If the newest reading is from the future, `detail` says so, and the age is that of the reading stored last; null if that is
 * from the future too.
 */
export const loader: ApiHandler = async () => {
  const store = getStore();
  try {
    await store.checkHealth();
    const [newest] = await store.newest(1);
    const now = Date.now() + (store.clockLeadMs?.() ?? 0);
    const ahead = newest && isAhead(newest, now) ? newest : null;
    const [last] = ahead ? await store.newest(1, { after: 0 }) : [newest];
    const ageMs = last && !isAhead(last, now) ? Math.max(0, now - Date.parse(last.created_at)) : null;
    const lastReadingAgeSeconds = ageMs === null ? null : Math.round(ageMs / 1000);
    const aheadDetail = ahead
      ? `The newest reading has the time ${ahead.created_at}, which is in the future: the server's clock was changed, or the sensor's is wrong.`
      : undefined;
    // Only a store with its own clock is healthy while the server's isn't set.
    const detail = clockFault() ?? aheadDetail;
    return jsonResponse({ status: 'ok', store: store.kind, version: VERSION, lastReadingAgeSeconds, detail });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const answer = jsonResponse(
      {
        status: 'unavailable',
        store: store.kind,
        version: VERSION,
        lastReadingAgeSeconds: null,
        detail: error.message,
      },
      { status: 503, headers: { 'Retry-After': String(error.retryAfterSeconds) } },
    );
    return { ...answer, detail: error.message };
  }
};
