import { apiFunction } from '../http/api-route.server';
import { refuseParameters } from '../http/post-query.server';
import { writeResponse } from '../http/write-response.server';
import { airRohr } from '../ingest/adapters/airrohr';
import { takeDevicePost } from '../ingest/take-post.server';
import { getStore } from '../store/open-store.server';

/** POST /api/airrohr: stores what Sensor.Community's airRohr sends to a "custom API". */
export const action = apiFunction(
  async (request) =>
    refuseParameters(request, ['sensor']) ??
    writeResponse(await takeDevicePost(getStore(), request, airRohr)),
);
