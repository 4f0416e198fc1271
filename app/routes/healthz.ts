import { jsonResponse } from '../http/api-handler.server';
import { apiFunction } from '../http/api-route.server';
import { getStore } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';

/** GET /healthz: the store's health, and the age of the newest reading in seconds (null without readings). */
export const loader = apiFunction(async () => {
  const store = getStore();
  try {
    await store.checkHealth();
    const [newest] = await store.newest(1);
    const ageMs = newest ? Math.max(0, Date.now() - Date.parse(newest.created_at)) : null;
    const lastReadingAgeSeconds = ageMs === null ? null : Math.round(ageMs / 1000);
    return jsonResponse({ status: 'ok', store: store.kind, lastReadingAgeSeconds });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return jsonResponse(
      { status: 'unavailable', store: store.kind, lastReadingAgeSeconds: null, detail: error.message },
      { status: 503, headers: { 'Retry-After': String(error.retryAfterSeconds) } },
    );
  }
});
