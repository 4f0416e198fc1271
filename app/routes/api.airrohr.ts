import type { ApiHandler } from '../http/answer';
import { writeResponse } from '../http/json-response.server';
import { refuseParameters } from '../http/query.server';
import { airRohr } from '../ingest/devices';
import { takeDevicePost } from '../ingest/take-post.server';
import { getStore } from '../store/open-store.server';

/** POST /api/airrohr: stores a reading from a Sensor.Community airRohr ("Send data to custom API"). */
export const action: ApiHandler = async (request) =>
  refuseParameters(request, ['sensor']) ?? writeResponse(await takeDevicePost(getStore(), request, airRohr));
