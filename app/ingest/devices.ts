import type { FieldError } from '../readings/field-error';
import type { MetricField } from '../readings/metric';

/** A value with the members of a post to `/api/data`, or the errors of the sent one. */
export type Translation = { ok: true; value: Record<string, unknown> } | { ok: false; errors: FieldError[] };

/**
 * Translates a value like one of `JSON.parse` into the members of a reading. Their values are checked afterwards, like those of
 * any post.
 */
export type Translate = (sent: unknown) => Translation;

/**
 * The format of a kind of device. To add the next one: its translation here, a route that names it, its
 * description in `app/openapi/devices.server.ts`, and a line each in `app/boot.server.ts`,
 * `app/openapi/document.server.ts`, and a passage of `docs/devices.md`.
 */
export interface Adapter {
  translate: Translate;
  /**
   * Set if the device repeats a reading, and sends nothing else, until the answer is a success. A reading that will never be
   * accepted is then answered with 200 and a report with the reason.
   */
  repeatsRefused?: true;
}

/** Returns the members of an object; none for any other value. */
export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function refuse(field: string, detail: string): Translation {
  return { ok: false, errors: [{ field, detail }] };
}

/** Values by metric, from names of members that a device uses: the first one that the device has wins. */
type Names = Partial<Record<MetricField, readonly string[]>>;

/** Returns the metrics that a device sent, with null for CO2 and VOC if they are missing; null if there is no metric. */
function pickMetrics(members: Record<string, unknown>, names: Names): Record<string, unknown> | null {
  const values: Record<string, unknown> = { co2: null, voc: null };
  for (const [field, candidates] of Object.entries(names)) {
    const name = candidates.find((each) => Object.hasOwn(members, each) && members[each] !== null);
    if (name !== undefined) values[field] = members[name];
  }
  return Object.values(values).every((value) => value === null) ? null : values;
}

/** Lists the names of members for a message. */
export const namesOf = (names: Names) => Object.values(names).flat().join(', ');

/**
 * Translates `/measures/current` of an AirGradient monitor. A sensor that fails, or has just started, leaves out its
 * members. A compensated value is preferred to the raw one.
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
  pm25: ['pm02Compensated', 'pm02'],
  pm10: ['pm10'],
  temperature: ['atmpCompensated', 'atmp'],
  humidity: ['rhumCompensated', 'rhum'],
};

/**
 * Sensor.Community's airRohr, "Send data to custom API". Each value is a text, and there are no times. It takes any status
 * from 200 to 208 for success, and sends a reading only once.
 *
 * Source: `sendDataToOptionalApis` and the `fetchSensor…` functions of airrohr-firmware.ino, NRZ-2024-135.
 */
export const airRohr: Adapter = {
  translate(sent) {
    const members = membersOf(sent);
    const { sensordatavalues } = members;
    if (!Array.isArray(sensordatavalues)) {
      return refuse(
        'sensordatavalues',
        'is missing: this address takes what airRohr sends to a "custom API"',
      );
    }
    const sentValues = sensordatavalues.map(membersOf);
    // The first value of a type counts.
    const byType = Object.fromEntries(
      sentValues.reverse().map(({ value_type, value }) => [value_type, value]),
    );
    const values = pickMetrics(byType, AIRROHR);
    if (!values) {
      return refuse('sensordatavalues', `has no value that airboard keeps: ${namesOf(AIRROHR)}`);
    }
    const { pressure } = values;
    if (pressure !== undefined) values.pressure = hectopascals(pressure);
    return { ok: true, value: { ...values, sensor: idOf(members) } };
  },
};

/** P1 is PM10 and P2 is PM2.5. A sensor of CO2 or pressure is warmer than the air, so its temperature comes last. */
export const AIRROHR: Names = {
  co2: ['SCD30_co2_ppm'],
  pm25: ['SDS_P2', 'SPS30_P2', 'PMS_P2', 'HPM_P2', 'NPM_P2', 'IPS_P2'],
  pm10: ['SDS_P1', 'SPS30_P1', 'PMS_P1', 'HPM_P1', 'NPM_P1', 'IPS_P1'],
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
  pressure: ['BME280_pressure', 'BMP280_pressure', 'BMP_pressure'],
};

/** Converts pascals. What isn't a number stays as it is, to be refused. */
function hectopascals(sent: unknown): unknown {
  const pascals = Number(sent);
  return Number.isFinite(pascals) ? pascals / 100 : sent;
}

/** Returns the id of the board: `esp8266id`, or what versions for other boards call theirs, such as `esp32id`. */
function idOf(members: Record<string, unknown>): unknown {
  return members[Object.keys(members).find((name) => /^(esp|raspi|rp)[\w-]*id$/i.test(name)) ?? ''];
}

/**
 * Names of Enviro Indoor and Urban, and those that additions to the firmware for an SCD30 or SCD41 give to CO2. Enviro's `aqi`
 * and `gas_resistance` are in no unit that airboard keeps.
 */
export const ENVIRO: Names = {
  co2: ['co2', 'scd_co2', 'scd41_co2'],
  voc: ['voc', 'tvoc'],
  pm25: ['pm2_5'],
  pm10: ['pm10'],
  temperature: ['temperature'],
  humidity: ['humidity'],
  pressure: ['pressure'],
};

/**
 * Pimoroni Enviro, "custom HTTP endpoint". It keeps readings with their times, takes 200, 201 and 202 for success, and sends
 * the others again, the oldest first: a refused one would hold up all that follow.
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
