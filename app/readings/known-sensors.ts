import { compareReadings, compareTimes, type Reading, type SensorSummary, sensorOf } from './reading';

/** The most sensors that a page lists. */
export const MAX_SENSORS = 100;

/**
 * The most sensors in an answer of the API, and the default. With the default of the setting `MAX_SENSORS`, one answer has
 * all of them.
 */
export const SENSORS_IN_PAGE = 5000;

/**
 * Sorts sensors by their newest reading, newest first, and keeps the first `MAX_SENSORS`.
 *
 * @param shown the sensor that the page shows, which is always kept
 */
export function newestFirst(sensors: readonly SensorSummary[], shown?: string): SensorSummary[] {
  const ordered = [...sensors].sort((a, b) => compareReadings(b.newest, a.newest));
  const kept = ordered.slice(0, MAX_SENSORS);
  const own = ordered.slice(MAX_SENSORS).find(({ name }) => name === shown);
  return own ? [...kept.slice(0, -1), own] : kept;
}

/**
 * Updates the list of sensors with new readings. A late reading doesn't replace a sensor's newest one.
 *
 * @param sensors sorted by `newestFirst`
 * @param shown the sensor that the page shows, which is always kept
 * @returns the same array if nothing has changed
 */
export function addToSensors(
  sensors: readonly SensorSummary[],
  readings: readonly Reading[],
  shown?: string,
): readonly SensorSummary[] {
  const known = new Map(sensors.map((sensor) => [sensor.name, sensor]));
  let hasChanged = false;
  for (const reading of readings) {
    const name = sensorOf(reading);
    const before = known.get(name);
    const after = withReading(before, reading);
    if (after !== before) known.set(name, after);
    hasChanged ||= after !== before;
  }
  return hasChanged ? newestFirst([...known.values()], shown) : sensors;
}

function withReading(sensor: SensorSummary | undefined, reading: Reading): SensorSummary {
  const time = reading.created_at;
  if (!sensor) return { name: sensorOf(reading), newest: reading, first_heard: time, last_heard: time };
  if (compareReadings(reading, sensor.newest) > 0) return { ...sensor, newest: reading, last_heard: time };
  return compareTimes(time, sensor.first_heard) < 0 ? { ...sensor, first_heard: time } : sensor;
}
