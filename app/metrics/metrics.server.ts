import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Metric, RegistryContentType } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import { singleton } from '../config/singleton.server';
import { BUILD_ID, VERSION } from '../config/version.server';
import { LEVELS } from '../readings/level/level';
import { METRICS, type Thresholds } from '../readings/metric';
import { sensorNow } from '../readings/now/level-now';
import { measuredValue, type SensorSummary } from '../readings/reading';
import type { VentilationAnswer } from '../readings/room/ventilation-answer';
import { counts, OPERATIONS, OUTCOMES } from './counts.server';

/** Sensors whose gauges are set in one event-loop turn: some milliseconds of work. */
const SENSORS_PER_TURN = 250;

/**
 * Returns the gauges of these sensors. A stale sensor has only its age, because a graph in Prometheus would otherwise
 * extend its last values. A sensor whose newest reading is from the future has no gauges. Faulty values are left out.
 *
 * @param now the server's clock in milliseconds
 */
export async function sensorMetrics(sensors: readonly SensorSummary[], thresholds: Thresholds, now: number) {
  const values = METRICS.map((metric) => {
    const { name, prometheus } = metric;
    const help = `${name} of the newest reading, left out once it is older than 15 minutes.`;
    return { metric, gauge: sensorGauge(prometheus, help) };
  });
  const age = sensorGauge('airboard_reading_age_seconds', 'Time since the newest reading.');
  const level = sensorGauge('airboard_level', 'Level of the air now: 0 good, 1 moderate, 2 poor.');
  for (const [i, sensor] of sensors.entries()) {
    if (i % SENSORS_PER_TURN === SENSORS_PER_TURN - 1) await nextTurn();
    const { newest } = sensor;
    const labels = { sensor: sensor.name };
    const { freshness, level: levelNow } = sensorNow(sensor, thresholds, now);
    if (freshness === 'ahead') continue;
    age.set(labels, Math.max(0, now - Date.parse(newest.created_at)) / 1000);
    if (freshness === 'stale') continue;
    for (const { metric, gauge } of values) {
      const value = measuredValue(newest, metric);
      if (value !== null) gauge.set(labels, value);
    }
    if (levelNow !== null) level.set(labels, LEVELS.indexOf(levelNow));
  }
  return [...values.map(({ gauge }) => gauge), age, level];
}

/** Returns the gauges of rooms. Unknown values are left out. */
export function roomMetrics(rooms: readonly VentilationAnswer[]) {
  const airChanges = sensorGauge(
    'airboard_air_changes_per_hour',
    'Air changes an hour of the room with its windows closed.',
  );
  const airing = sensorGauge('airboard_airing', '1 while CO2 falls so fast that a window must be open.');
  const rebreathed = sensorGauge(
    'airboard_rebreathed_ratio',
    'The share of inhaled air that somebody has breathed out before.',
  );
  for (const room of rooms) {
    const { sensor } = room;
    if (room.air_changes) airChanges.set({ sensor }, room.air_changes.median);
    // `rebreathed` is null if CO2 is unknown or wrong, and then airings are unknown too.
    if (room.rebreathed === null) continue;
    airing.set({ sensor }, room.airing ? 1 : 0);
    rebreathed.set({ sensor }, room.rebreathed);
  }
  return [airChanges, airing, rebreathed];
}

const sensorGauge = (name: string, help: string) =>
  new Gauge({ name, help, labelNames: ['sensor'], registers: [] });

interface ServerState {
  store: string;
  openStreams: number;
}

/** Returns the metrics of this process, with Prometheus's recommended names `process_…`. */
export function serverMetrics({ store, openStreams }: ServerState) {
  const refusals = [...counts.refusals].sort(([a], [b]) => a - b);
  const { user, system } = process.cpuUsage();
  return [
    counter(
      'airboard_readings_total',
      'Readings received since the start: stored, duplicate, or refused (invalid or in conflict).',
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

const SAMPLE_MS = 20;

/**
 * Returns the delays of timers since the first call, sampled every 20 ms. The percentiles of `monitorEventLoopDelay`
 * would need a reset at each scrape; any number of programs can scrape a histogram.
 */
function eventLoopDelay(): Histogram {
  return singleton('event-loop-delay', () => {
    const histogram = new Histogram({
      name: 'airboard_event_loop_delay_seconds',
      help: 'How late a timer ran because the event loop was busy, sampled every 20 ms since the first scrape.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [],
    });
    let due = performance.now() + SAMPLE_MS;
    const sample = () => {
      const now = performance.now();
      histogram.observe(Math.max(0, now - due) / 1000);
      due = now + SAMPLE_MS;
    };
    setInterval(sample, SAMPLE_MS).unref();
    return histogram;
  });
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

/**
 * Returns metrics as text, each in an event-loop turn of its own: 5,000 sensors take some milliseconds for each. Each scrape has
 * a separate registry, because prom-client removes `_total` from the counters' names for OpenMetrics, and the next scrape as text
 * would lack it.
 *
 * @param large metrics with many sensors
 * @param others the last ones in the text
 */
export async function metricsText(
  large: readonly Metric[],
  others: readonly Metric[],
  contentType: RegistryContentType,
): Promise<string> {
  const texts: string[] = [];
  for (const metric of large) {
    texts.push((await registryOf([metric], contentType).metrics()).replace(/\n(# EOF\n)?$/, ''));
    await nextTurn();
  }
  const separator = contentType === Registry.OPENMETRICS_CONTENT_TYPE ? '\n' : '\n\n';
  return [...texts, await registryOf(others, contentType).metrics()].join(separator);
}

function registryOf(metrics: readonly Metric[], contentType: RegistryContentType) {
  const registry = new Registry<RegistryContentType>();
  registry.setContentType(contentType);
  for (const metric of metrics) registry.registerMetric(metric);
  return registry;
}
