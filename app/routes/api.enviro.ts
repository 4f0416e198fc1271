import type { ApiHandler } from '../http/answer';
import { writeResponse } from '../http/json-response.server';
import { refuseParameters } from '../http/query.server';
import { enviro } from '../ingest/devices';
import { takeDevicePost } from '../ingest/take-post.server';
import { getStore } from '../store/open-store.server';

/** POST /api/enviro: stores a reading from a Pimoroni Enviro ("custom HTTP endpoint"). */
export const action: ApiHandler = async (request) =>
  refuseParameters(request, ['sensor']) ?? writeResponse(await takeDevicePost(getStore(), request, enviro));
