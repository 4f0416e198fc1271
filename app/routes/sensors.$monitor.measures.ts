import type { ApiHandler } from '../http/answer';
import { writeResponse } from '../http/json-response.server';
import { problem } from '../http/problem.server';
import { refuseParameters } from '../http/query.server';
import { airGradient } from '../ingest/devices';
import { takeDevicePost } from '../ingest/take-post.server';
import { getStore } from '../store/open-store.server';

const SERIAL = /^\/sensors\/airgradient:([\w-]+)\/measures$/;

const NO_SERIAL = {
  status: 400,
  detail: 'The address has no serial number: send to one such as /sensors/airgradient:ecda3b1eaaaf/measures.',
};

/** POST /sensors/airgradient:{serial}/measures: stores a reading from an AirGradient monitor. */
export const action: ApiHandler = async (request) => {
  const [, serial] = SERIAL.exec(request.url.pathname) ?? [];
  if (serial === undefined) return problem(NO_SERIAL);
  const wrongAddress = refuseParameters(request);
  return wrongAddress ?? writeResponse(await takeDevicePost(getStore(), request, airGradient(serial)));
};
