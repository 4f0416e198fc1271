import type { ApiHandler } from '../http/answer';
import { JSON_HEADERS, jsonResponse, writeResponse } from '../http/json-response.server';
import { invalidQuery, problem } from '../http/problem.server';
import { MISSING_SENSOR, readingQueryParser, refuseParameters } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { restoreReadings } from '../ingest/delete-readings.server';
import { refuseWrite } from '../ingest/write-access.server';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor');

/** GET /api/restore: the deletions of a sensor whose readings can be brought back. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { sensor } = parsed.query;
  if (sensor === undefined) return invalidQuery([MISSING_SENSOR]);
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  return answerInTurn(request, async (signal) => jsonResponse(await getStore(signal).deletions.list(sensor)));
};

/** POST /api/restore?id=ID: brings the readings of a deletion back. */
export const action: ApiHandler = async (request) => {
  const wrongAddress = refuseParameters(request, ['id']);
  if (wrongAddress) return wrongAddress;
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  const id = request.url.searchParams.get('id');
  if (!id) return invalidQuery([{ field: 'id', detail: 'is missing: send the restore of a deletion' }]);
  return writeResponse(await restoreReadings(getStore(), request, id));
};
