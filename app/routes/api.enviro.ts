import { apiFunction } from '../http/api-route.server';
import { refuseParameters } from '../http/post-query.server';
import { writeResponse } from '../http/write-response.server';
import { enviro } from '../ingest/adapters/enviro';
import { takeDevicePost } from '../ingest/take-post.server';
import { getStore } from '../store/open-store.server';

/** POST /api/enviro: stores what Pimoroni Enviro sends to its "custom HTTP endpoint". */
export const action = apiFunction(
  async (request) =>
    refuseParameters(request, ['sensor']) ?? writeResponse(await takeDevicePost(getStore(), request, enviro)),
);
