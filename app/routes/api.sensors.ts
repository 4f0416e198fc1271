import type { ApiHandler } from '../http/answer';
import { cachedJson, cachedPage, JSON_HEADERS, writeResponse } from '../http/json-response.server';
import { invalidQuery, problem } from '../http/problem.server';
import { excludedParameter, linkToNext, refuseParameters, sensorListParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { changeSensor } from '../ingest/change-sensor.server';
import { refuseWrite } from '../ingest/write-access.server';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { compareReadings, type SensorSummary } from '../readings/reading';
import { getSettings, getStore } from '../store/open-store.server';

const parseQuery = sensorListParser(['limit', 'after', 'newest'], 'sensor');

/** GET /api/sensors: a page of the sensors by name, or only those with the newest readings. Newest first. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { limit = SENSORS_IN_PAGE, after, newest, sensor } = parsed.query;
  const isAlone = sensor !== undefined && newest === undefined;
  const fault = isAlone
    ? { field: 'newest', detail: 'is missing: sensor lists one more beside the newest ones' }
    : excludedParameter(parsed.query, 'newest', ['limit', 'after']);
  if (fault) return invalidQuery([fault]);
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  return answerInTurn(request, async (signal) => {
    const store = getStore(signal);
    const version = await store.version?.();
    if (newest === undefined)
      return cachedPage(request, version, async () => page(await store.sensors(limit + 1, after), limit));
    const load = async () =>
      (await store.lastHeard(sensor)).filter(({ name }, i) => i < newest || name === sensor);
    return cachedJson(request, version, load);
  });
};

/** PATCH /api/sensors?sensor=NAME changes the settings and the name of a sensor. */
export const action: ApiHandler = async (request) => {
  const wrongAddress = refuseParameters(request, ['sensor', 'merge']);
  if (wrongAddress) return wrongAddress;
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  const settings = getSettings();
  const known = {
    store: getStore(),
    settingsOf: (sensor: string) => settings.of(sensor),
    nameOf: (sensor: string) => settings.nameOf(sensor),
  };
  return writeResponse(await changeSensor(known, request));
};

function page(sensors: readonly SensorSummary[], limit: number) {
  const headers = linkToNext(
    '/api/sensors',
    sensors.map(({ name }) => name),
    limit,
  );
  return { value: sensors.slice(0, limit).sort((a, b) => compareReadings(b.newest, a.newest)), headers };
}
