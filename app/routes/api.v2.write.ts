import type { ApiHandler } from '../http/answer';
import { writeResponse } from '../http/json-response.server';
import { refuseParameters } from '../http/query.server';
import { INFLUX_PARAMETERS, takeInfluxWrite } from '../ingest/take-lines.server';
import { getStore } from '../store/open-store.server';

/** POST /api/v2/write: stores readings in the line protocol of InfluxDB 2. */
export const action: ApiHandler = async (request) =>
  refuseParameters(request, INFLUX_PARAMETERS) ?? writeResponse(await takeInfluxWrite(getStore(), request));
