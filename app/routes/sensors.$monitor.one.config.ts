import type { ApiHandler } from '../http/answer';
import { jsonResponse } from '../http/json-response.server';
import { refuseParameters } from '../http/query.server';

/**
 * GET /sensors/airgradient:{serial}/one/config: answers an AirGradient monitor that there is nothing to configure. The firmware shows
 * an error after any other status than 200, and changes nothing if the answer isn't an object. `{}` would remove its MQTT broker.
 *
 * Source: `Configuration::parse` and `httpFetchConfig` of airgradienthq, 3.6.5.
 */
export const loader: ApiHandler = (request) => refuseParameters(request) ?? jsonResponse([]);
