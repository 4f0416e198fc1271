/**
 * Simulates the metrics of a living room besides CO2 and VOC: its temperature, humidity, particles, gases, air pressure, noise and light.
 * People, cooking and open windows are those of the simulated air.
 */
import { TABLE } from '../../app/readings/metric-table.js';
import { seededRandom } from './seeded-random.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The metrics that can be simulated. */
export const SIMULATED = /** @type {const} */ ([
  'co2',
  'voc',
  'voc_index',
  'nox_index',
  'hcho',
  'co',
  'no2',
  'o3',
  'radon',
  'pm1',
  'pm25',
  'pm4',
  'pm10',
  'temperature',
  'humidity',
  'pressure',
  'noise',
  'light',
]);

/** @typedef {typeof SIMULATED[number]} SimulatedField */
/** @typedef {ReturnType<ReturnType<typeof import('./room-air.js').createRoomAir>>} RoomAir */

/**
 * @param {number} seed the same seed gives the same values for the same air
 * @param {number} stepMs the time between readings
 * @returns {(localMs: number, air: RoomAir) => Record<SimulatedField, number>} a function that returns all metrics at a local time
 */
export function createRoomClimate(seed, stepMs) {
  // Another sequence than that of the air, which is the same with and without these metrics.
  const random = seededRandom(seed + 1_000_000_007);
  const hours = stepMs / HOUR_MS;
  let temperature = 20.5;
  let humidity = 45;
  let particles = 6;
  let nox = 1;
  let usualVoc = 150;
  let pressure = 1013;
  let hcho = 18;
  let ozone = 6;
  let radon = 60;
  const noise = (/** @type {number} */ width) => (random() + random() - 1) * width;
  /** Moves a value towards another one, so many times an hour. */
  const approach = (/** @type {number} */ value, /** @type {number} */ target, /** @type {number} */ rate) =>
    value + (target - value) * (1 - Math.exp(-rate * hours));

  return (localMs, { co2, voc, isCooking, isAiring }) => {
    // Warmest at 15:00.
    const warmth = Math.cos(((localMs / DAY_MS) % 1) * 2 * Math.PI - 1.25 * Math.PI);
    temperature = approach(temperature, 21 + warmth + (isCooking ? 3 : 0), 0.5);
    if (isAiring) temperature = approach(temperature, 10 + 4 * warmth, 0.6);
    humidity = approach(humidity, isAiring ? 38 : 47 + (isCooking ? 30 : 0), isAiring ? 3 : 0.4);
    particles = approach(particles, isAiring ? 8 : 4, isAiring ? 4 : 0.8) + (isCooking ? 60 * hours : 0);
    nox = approach(nox, isCooking ? 60 : 1, 1.5);
    // Sensirion's VOC index compares with the average of the last day.
    usualVoc = approach(usualVoc, voc, 1 / 24);
    pressure = approach(pressure, 1013, 0.01) + noise(0.6) * Math.sqrt(hours);
    hcho = approach(hcho, isAiring ? 5 : 22, isAiring ? 4 : 0.3);
    ozone = approach(ozone, isAiring ? 28 : 5, isAiring ? 4 : 2);
    radon = approach(radon, isAiring ? 15 : 90, isAiring ? 3 : 0.2);
    return rounded({
      co2,
      voc,
      voc_index: Math.min(Math.max((100 * voc) / usualVoc, 1), 500),
      nox_index: nox,
      hcho,
      co: (nox - 1) / 20,
      no2: 4 + nox / 2,
      o3: ozone,
      radon,
      pm1: particles * 0.6,
      pm4: particles * 1.2 + 1,
      pm25: Math.max(particles + noise(0.4), 0),
      pm10: Math.max(particles * 1.3 + 2 + noise(0.8), 0),
      temperature: temperature + noise(0.1),
      humidity: humidity + noise(0.4),
      pressure: pressure + noise(0.1),
      noise: 31 + (isCooking ? 22 : 0) + (isAiring ? 8 : 0) + Math.max(co2 - 600, 0) / 100,
      light: Math.max(-4000 * Math.cos(((localMs / DAY_MS) % 1) * 2 * Math.PI), 0),
    });
  };
}

/** @param {Record<SimulatedField, number>} values */
function rounded(values) {
  for (const field of SIMULATED) {
    const decimals = TABLE.find((row) => row.field === field)?.decimals;
    values[field] = Number(values[field].toFixed(decimals));
  }
  return values;
}
