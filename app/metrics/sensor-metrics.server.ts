import Gauge from 'prom-client/lib/gauge.js';
import { LEVELS, type Thresholds } from '../readings/level/level';
import { sensorNow } from '../readings/now/level-now';
import type { SensorSummary } from '../readings/reading';

/**
 * Returns the gauges of these sensors. A quiet sensor has only its age: Prometheus would draw its last values on as if they
 * were those of now. One whose newest reading is from the future has nothing.
 *
 * @param now the server's clock in milliseconds
 */
export function sensorMetrics(sensors: readonly SensorSummary[], thresholds: Thresholds, now: number) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['sensor'], registers: [] });
  const co2 = gauge(
    'airboard_co2_ppm',
    'CO2 of the newest reading, left out once it is older than 15 minutes.',
  );
  const voc = gauge(
    'airboard_voc_ppb',
    'VOC of the newest reading, left out once it is older than 15 minutes.',
  );
  const age = gauge('airboard_reading_age_seconds', 'Time since the newest reading.');
  const level = gauge('airboard_level', 'Level of the air now: 0 good, 1 moderate, 2 poor.');
  for (const sensor of sensors) {
    const { newest } = sensor;
    const labels = { sensor: sensor.name };
    const { freshness, level: levelNow } = sensorNow(sensor, thresholds, now);
    if (freshness === 'ahead') continue;
    age.set(labels, Math.max(0, now - Date.parse(newest.created_at)) / 1000);
    if (freshness === 'stale') continue;
    if (newest.co2 !== null) co2.set(labels, newest.co2);
    if (newest.voc !== null) voc.set(labels, newest.voc);
    if (levelNow !== null) level.set(labels, LEVELS.indexOf(levelNow));
  }
  return [co2, voc, age, level];
}
