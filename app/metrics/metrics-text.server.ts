import type { Metric, RegistryContentType } from 'prom-client';
import Registry from 'prom-client/lib/registry.js';

/**
 * Returns metrics as text.
 *
 * A registry of its own for each scrape: for OpenMetrics, prom-client takes `_total` from the names of the counters
 * themselves, so that the next scrape as text would lack it.
 */
export function metricsText(metrics: readonly Metric[], contentType: RegistryContentType): Promise<string> {
  const registry = new Registry<RegistryContentType>();
  registry.setContentType(contentType);
  for (const metric of metrics) registry.registerMetric(metric);
  return registry.metrics();
}
