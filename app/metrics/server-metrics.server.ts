import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import { BUILD_ID } from '../config/build-id.server';
import { VERSION } from '../config/version.server';
import { counts, OPERATIONS, OUTCOMES } from './counts.server';
import { eventLoopDelay } from './event-loop-delay.server';

/** What the route knows of the server. */
export interface ServerState {
  /** The store's name, as in `/healthz`. */
  store: string;
  openStreams: number;
}

/** Returns the metrics of this process. Those of `process_…` are the ones that Prometheus asks of every program. */
export function serverMetrics({ store, openStreams }: ServerState) {
  const refusals = [...counts.refusals].sort(([a], [b]) => a - b);
  const { user, system } = process.cpuUsage();
  return [
    counter(
      'airboard_readings_total',
      'Readings received since the start: stored, known already (duplicate), and invalid or in conflict (refused).',
      'outcome',
      OUTCOMES.map((outcome) => [outcome, counts.readings[outcome]]),
    ),
    counter(
      'airboard_requests_refused_total',
      'Requests answered with an error since the start, by HTTP status.',
      'code',
      refusals,
    ),
    counter(
      'airboard_store_errors_total',
      "Reads and writes that failed since the start because the store couldn't be used.",
      'operation',
      OPERATIONS.map((operation) => [operation, counts.storeErrors[operation]]),
    ),
    gauge('airboard_event_streams', 'Open event streams of /api/live.', openStreams),
    eventLoopDelay(),
    gauge('airboard_build_info', 'The version and the build that run, and the store.', 1, {
      version: VERSION,
      build: BUILD_ID,
      store,
    }),
    gauge(
      'process_start_time_seconds',
      'Start of the process, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()),
    counter('process_cpu_seconds_total', 'Processor time of the process, user and system.', null, [
      ['', (user + system) / 1e6],
    ]),
  ];
}

function counter(name: string, help: string, label: string | null, values: [string | number, number][]) {
  const metric = new Counter({ name, help, labelNames: label === null ? [] : [label], registers: [] });
  for (const [key, value] of values) metric.inc(label === null ? {} : { [label]: String(key) }, value);
  return metric;
}

function gauge(name: string, help: string, value: number, labels: Record<string, string> = {}) {
  const metric = new Gauge({ name, help, labelNames: Object.keys(labels), registers: [] });
  metric.set(labels, value);
  return metric;
}
