import { alertAddresses } from '../alerts/addresses.server';
import { airReport } from '../alerts/air-report.server';
import { sendTest } from '../alerts/send-test.server';
import { missingSetting } from '../alerts/start-alerts.server';
import { getEnv } from '../config/env.server';
import type { ApiHandler } from '../http/answer';
import { refusalOf } from '../http/answer';
import { JSON_HEADERS, jsonResponse } from '../http/json-response.server';
import { invalidQuery, problem } from '../http/problem.server';
import { linkToNext, refuseParameters, sensorListParser } from '../http/query.server';
import { refuseStranger, refuseWrite } from '../ingest/write-access.server';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { getStore } from '../store/open-store.server';

const notSetUp = () =>
  problem({
    status: 404,
    detail: `Notifications aren't set up: the setting ${missingSetting()} is missing.`,
  });

const parseQuery = sensorListParser(['limit', 'after']);

/** GET /api/notifications: the state of every sensor, and the newest transitions with their notifications. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const settings = getEnv().alerts;
  const store = getStore().alerts;
  if (settings.urls.length === 0 || !store) return notSetUp();
  const refusal = refuseStranger(request);
  if (refusal) return problem(refusal);
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  try {
    const { limit = SENSORS_IN_PAGE, after } = parsed.query;
    const report = await airReport(store, alertAddresses(settings), settings, { limit: limit + 1, after });
    const names = report.sensors.map(({ sensor }) => sensor).sort();
    const sensors = report.sensors.filter(({ sensor }) => sensor !== names[limit]);
    return jsonResponse({ ...report, sensors }, { headers: linkToNext('/api/notifications', names, limit) });
  } catch (error) {
    return problem(refusalOf(error));
  }
};

/** POST /api/notifications: sends a test to every address, and returns their answers. */
export const action: ApiHandler = async (request) => {
  const wrongAddress = refuseParameters(request);
  if (wrongAddress) return wrongAddress;
  const settings = getEnv().alerts;
  if (settings.urls.length === 0 || !getStore().alerts) return notSetUp();
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  const result = await sendTest(alertAddresses(settings));
  if ('answers' in result) return jsonResponse(result.answers);
  const seconds = String(result.retryAfterSeconds);
  const detail = `A test was sent just now. The next one can be sent in ${seconds} s.`;
  return problem({ status: 429, detail, headers: { 'Retry-After': seconds } });
};
