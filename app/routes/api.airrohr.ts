import type { ApiHandler } from '../http/answer';
import { writeResponse } from '../http/json-response.server';
import { refuseParameters } from '../http/query.server';
import { airRohr } from '../ingest/devices';
import { takeDevicePost } from '../ingest/take-post.server';
import { getStore } from '../store/open-store.server';

/** POST /api/airrohr: stores what Sensor.Community's airRohr sends to a "custom API". */
export const action: ApiHandler = async (request) =>
  refuseParameters(request, ['sensor']) ?? writeResponse(await takeDevicePost(getStore(), request, airRohr));
