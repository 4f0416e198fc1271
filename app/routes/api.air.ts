import { airRulesOf, notGood, notificationOf } from '../alerts/air-now.server';
import { notJudgedYet, runningAlerts } from '../alerts/start-alerts.server';
import type { ApiHandler } from '../http/answer';
import { JSON_HEADERS, jsonResponse } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { excludedParameter, linkToNext, sensorListParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';

const parseQuery = sensorListParser(['limit', 'after'], 'sensor', 'before', 'zone');

/** GET /api/air: a page of the sensors whose air isn't good, by name, or one sensor with the notification for its change. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const fault = excludedParameter(parsed.query, 'sensor', ['limit', 'after']);
  if (fault) return invalidQuery([fault]);
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  const { sensor, before = 'good', zone = 'UTC', limit = SENSORS_IN_PAGE, after } = parsed.query;
  return answerInTurn(request, async () => {
    const alerts = runningAlerts();
    if (!alerts) throw notJudgedYet();
    const sensors = await alerts.sensors();
    const [rulesOf, now] = [airRulesOf(alerts), Date.now()];
    if (sensor === undefined) {
      const page = notGood(sensors, rulesOf, now, after);
      const names = page.map(({ sensor }) => sensor);
      return jsonResponse(page.slice(0, limit), { headers: linkToNext('/api/air', names, limit) });
    }
    const asked = { sensor, before, zone };
    const answer = await notificationOf(sensors, alerts.lastTransition, asked, rulesOf, now);
    return jsonResponse([answer].filter(Boolean));
  });
};
