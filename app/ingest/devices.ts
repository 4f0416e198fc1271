import type { FieldError } from '../readings/field-error';
import type { MetricField } from '../readings/metric';
import { isNoValue } from './parse-json';

/** The translated value, with the members of a post to `/api/data`, or the errors of the sent value. */
export type Translation = { ok: true; value: Record<string, unknown> } | { ok: false; errors: FieldError[] };

/**
 * Translates a value from `JSON.parse` into the members of a reading. Their values are checked afterwards, as in any
 * post.
 */
export type Translate = (sent: unknown) => Translation;

/**
 * The format of a kind of device. Another one needs its translation here, a route that names it, its description in
 * `app/openapi/devices.server.ts`, a line each in `app/boot.server.ts` and `app/openapi/document.server.ts`, and a
 * document in `docs/devices`.
 */
export interface Adapter {
  translate: Translate;
  /**
   * Set if the device repeats a refused reading, and sends nothing else, until it gets a success. A reading that can
   * never be accepted then gets 200 and a report with the reason.
   */
  repeatsRefused?: true;
  /** A header with the sensor's name, for a body that names none. */
  nameHeader?: 'x-sensor';
}

/** Returns the value if it is an object, else an empty object. */
export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function refuse(field: string, detail: string): Translation {
  return { ok: false, errors: [{ field, detail }] };
}

/** The member names that a device may use for each metric. The first one that has a value wins. */
type Names = Partial<Record<MetricField, readonly string[]>>;

/** Returns the metrics that a device sent, with null for a missing CO2 or VOC; null if it sent no metric. */
function pickMetrics(members: Record<string, unknown>, names: Names): Record<string, unknown> | null {
  const values: Record<string, unknown> = { co2: null, voc: null };
  for (const [field, candidates] of Object.entries(names)) {
    const name = candidates.find((each) => Object.hasOwn(members, each) && !isEmpty(members[each]));
    if (name !== undefined) values[field] = members[name];
  }
  return Object.values(values).every((value) => value === null) ? null : values;
}

const isEmpty = (sent: unknown) => isNoValue(sent) || (typeof sent === 'string' && sent.trim() === '');

/** Lists the names of members for a message. */
export const namesOf = (names: Names) => Object.values(names).flat().join(', ');

/**
 * Translates `/measures/current` of an AirGradient monitor. The members of a sensor that fails or has just started are
 * missing. A compensated value is preferred to the raw one.
 *
 * Source: docs/local-server.md and `Measurements::toString` of airgradienthq/arduino.
 *
 * @param sensor the sensor's name; by default the monitor's serial number
 */
export function translateAirGradient(sent: unknown, sensor?: string): Translation {
  const members = membersOf(sent);
  const values = pickMetrics(members, AIRGRADIENT);
  if (!values) return refuse('rco2', `is missing, and so is every other value: ${namesOf(AIRGRADIENT)}`);
  return { ok: true, value: { ...values, sensor: sensor ?? members.serialno } };
}

const AIRGRADIENT: Names = {
  co2: ['rco2'],
  voc_index: ['tvocIndex'],
  nox_index: ['noxIndex'],
  pm1: ['pm01'],
  pm25: ['pm02Compensated', 'pm02'],
  pm10: ['pm10'],
  temperature: ['atmpCompensated', 'atmp'],
  humidity: ['rhumCompensated', 'rhum'],
};

/**
 * The format of Sensor.Community's airRohr, "Send data to custom API", and of Sensor.Community's own interface, which other
 * programs use: types without the sensor's prefix, and the name in the header `X-Sensor`. airRohr's values are strings, others
 * send numbers. There is no time. airRohr treats any status from 200 to 208 as a success, and sends a reading only once.
 *
 * Source: `sendDataToOptionalApis` and the `fetchSensor…` functions of airrohr-firmware.ino, NRZ-2024-135.
 */
export const airRohr: Adapter = {
  translate(sent) {
    const members = membersOf(sent);
    const { sensordatavalues } = members;
    if (!Array.isArray(sensordatavalues)) {
      return refuse('sensordatavalues', 'is missing: send the body that airRohr sends to a "custom API"');
    }
    const sentValues = sensordatavalues.map(membersOf);
    // Reversed, because the first value of a type counts and `fromEntries` keeps the last.
    const byType = Object.fromEntries(
      sentValues.reverse().map(({ value_type, value }) => [value_type, value]),
    );
    const values = pickMetrics(byType, AIRROHR);
    if (!values) {
      return refuse('sensordatavalues', `has no value that airboard keeps: ${namesOf(AIRROHR)}`);
    }
    const { pressure, ...others } = values;
    const inHpa = pressure === undefined ? {} : pressureOf(pressure);
    return { ok: true, value: { ...others, ...inHpa, sensor: idOf(members) } };
  },
  nameHeader: 'x-sensor',
};

/** P0 is PM1, P1 is PM10, P2 is PM2.5 and P4 is PM4. CO2 and pressure sensors are warmer than the air, so their temperatures come last. */
export const AIRROHR: Names = {
  co2: ['SCD30_co2_ppm', 'co2_ppm'],
  pm1: ['SPS30_P0', 'PMS_P0', 'NPM_P0', 'IPS_P0', 'P0'],
  pm25: ['SDS_P2', 'SPS30_P2', 'PMS_P2', 'HPM_P2', 'NPM_P2', 'IPS_P2', 'P2'],
  pm4: ['SPS30_P4', 'P4'],
  pm10: ['SDS_P1', 'SPS30_P1', 'PMS_P1', 'HPM_P1', 'NPM_P1', 'IPS_P1', 'P1'],
  temperature: [
    'BME280_temperature',
    'SHT3X_temperature',
    'HTU21D_temperature',
    'temperature',
    'DS18B20_temperature',
    'SCD30_temperature',
    'BMP280_temperature',
    'BMP_temperature',
  ],
  humidity: ['BME280_humidity', 'SHT3X_humidity', 'HTU21D_humidity', 'humidity', 'SCD30_humidity'],
  pressure: ['BME280_pressure', 'BMP280_pressure', 'BMP_pressure', 'pressure'],
  noise: ['DNMS_noise_LAeq', 'noise_LAeq'],
};

/** In pascals, no place on Earth has such values. They are hPa, from a program that forgets to convert them. */
const LIKE_HPA = { from: 300, to: 1200 };

/** Converts pascals. Passes on any other value, so that it is rejected later, but leaves out one that looks like hPa. */
function pressureOf(sent: unknown): Record<string, unknown> {
  // `Number` makes 0 of an empty text.
  const pascals = typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent;
  if (typeof pascals !== 'number' || !Number.isFinite(pascals)) return { pressure: sent };
  if (pascals >= LIKE_HPA.from && pascals <= LIKE_HPA.to) return { 'pressure that is not in Pa': sent };
  return { pressure: pascals / 100 };
}

/** Returns the id of the board: `esp8266id`, or the member that firmware for other boards uses, such as `esp32id`. */
function idOf(members: Record<string, unknown>): unknown {
  return members[Object.keys(members).find((name) => /^(esp|raspi|rp)[\w-]*id$/i.test(name)) ?? ''];
}

/**
 * The names of Enviro Indoor and Urban, and the names for CO2 in firmware additions for an SCD30 or SCD41. Enviro's
 * `aqi` and `gas_resistance` are left out, because airboard doesn't store their units, and so is its `noise`, a voltage.
 */
export const ENVIRO: Names = {
  co2: ['co2', 'scd_co2', 'scd41_co2'],
  voc: ['voc', 'tvoc'],
  pm1: ['pm1'],
  pm25: ['pm2_5'],
  pm10: ['pm10'],
  temperature: ['temperature'],
  humidity: ['humidity'],
  pressure: ['pressure'],
  light: ['luminance'],
};

/**
 * The format of Pimoroni Enviro, "custom HTTP endpoint". Enviro keeps readings with their times, treats 200, 201 and
 * 202 as success, and sends the others again, oldest first: a refused reading would hold up all later ones.
 *
 * Source: `cache_upload` and `upload_readings` of enviro/__init__.py, enviro/boards/indoor.py and urban.py,
 * enviro/destinations/http.py, April 2024.
 */
export const enviro: Adapter = {
  translate(sent) {
    const { nickname, uid, timestamp, readings } = membersOf(sent);
    const values = pickMetrics(membersOf(readings), ENVIRO);
    if (!values) {
      return refuse('readings', `has no value that airboard keeps: ${namesOf(ENVIRO)}`);
    }
    return { ok: true, value: { ...values, created_at: timestamp, sensor: nickname || uid } };
  },
  repeatsRefused: true,
};
