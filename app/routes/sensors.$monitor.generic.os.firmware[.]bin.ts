import type { ApiHandler } from '../http/answer';
import { refuseParameters } from '../http/query.server';

/**
 * GET /sensors/airgradient:{serial}/generic/os/firmware.bin: answers an AirGradient monitor that its firmware is up to date.
 *
 * Source: `updateIfAvailable` of airgradienthq/airgradient-ota, which would install the body of a 200.
 */
export const loader: ApiHandler = (request) =>
  refuseParameters(request, ['current_firmware']) ?? {
    status: 304,
    headers: { 'Cache-Control': 'no-store' },
    body: null,
  };
