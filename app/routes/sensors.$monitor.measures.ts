import type { ApiHandler } from '../http/answer';
import { writeResponse } from '../http/json-response.server';
import { refuseParameters } from '../http/query.server';
import { airGradient } from '../ingest/devices';
import { takeDevicePost } from '../ingest/take-post.server';
import { getStore } from '../store/open-store.server';

const SERIAL = /^\/sensors\/airgradient:([^/]+)/;

/** POST /sensors/airgradient:{serial}/measures: stores a reading from an AirGradient monitor. */
export const action: ApiHandler = async (request) => {
  const [, serial = ''] = SERIAL.exec(request.url.pathname) ?? [];
  const adapter = airGradient(decodeURIComponent(serial));
  return refuseParameters(request) ?? writeResponse(await takeDevicePost(getStore(), request, adapter));
};
