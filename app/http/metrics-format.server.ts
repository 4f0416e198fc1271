import Negotiator from 'negotiator';
import type { ApiRequest } from './api-handler.server';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** The formats with every parameter that Prometheus names. The first is preferred if a client likes both the same. */
const MEDIA_TYPES = [TEXT, OPEN_METRICS].flatMap((type) => [
  type,
  ...['allow-utf-8', 'underscores', 'dots', 'values'].map((scheme) => `${type}; escaping=${scheme}`),
]);

/** Returns the `Content-Type` of metrics that `Accept` prefers: text unless OpenMetrics 1.0.0 is preferred. */
export function preferredMetrics(request: ApiRequest): typeof TEXT | typeof OPEN_METRICS {
  const accept = request.header('Accept') ?? '*/*';
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes(MEDIA_TYPES);
  return preferred?.startsWith('application/') ? OPEN_METRICS : TEXT;
}
