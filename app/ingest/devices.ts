import type { FieldError } from '../readings/field-error';

/** A value with the members of a post to `/api/data`, or the errors of the sent one. */
export type Translation = { ok: true; value: Record<string, unknown> } | { ok: false; errors: FieldError[] };

/**
 * Translates a value like one of `JSON.parse` into the members `co2`, `voc`, `created_at` and `sensor`. Their values are
 * judged afterwards, like those of any post.
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

/**
 * Translates `/measures/current` of an AirGradient monitor. A sensor that fails, or has just started, leaves out its
 * members. `tvocIndex` is an index without a unit, so there is no VOC.
 *
 * Source: docs/local-server.md and `Measurements::toString` of airgradienthq/arduino.
 *
 * @param sensor the sensor's name; by default the monitor's serial number
 */
export function translateAirGradient(sent: unknown, sensor?: string): Translation {
  const { rco2, serialno } = membersOf(sent);
  if (rco2 === undefined) return refuse('rco2', 'is missing: the monitor has no value of CO2');
  return { ok: true, value: { co2: rco2, voc: null, sensor: sensor ?? serialno } };
}

/**
 * Sensor.Community's airRohr, "Send data to custom API". Each value is a text. Its only sensor of CO2 is the SCD30; it has none
 * of VOC, and no times. It takes any status from 200 to 208 for success, and sends a reading only once.
 *
 * Source: `sendDataToOptionalApis` and `fetchSensorSCD30` of airrohr-firmware.ino, NRZ-2024-135.
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
    const scd30 = sensordatavalues.map(membersOf).find(({ value_type }) => value_type === 'SCD30_co2_ppm');
    if (!scd30) {
      return refuse(
        'sensordatavalues',
        'has no SCD30_co2_ppm: airboard needs CO2, which airRohr measures with an SCD30',
      );
    }
    return { ok: true, value: { co2: scd30.value, voc: null, sensor: idOf(members) } };
  },
};

/** Returns the id of the board: `esp8266id`, or what versions for other boards call theirs, such as `esp32id`. */
function idOf(members: Record<string, unknown>): unknown {
  return members[Object.keys(members).find((name) => /^(esp|raspi|rp)[\w-]*id$/i.test(name)) ?? ''];
}

/** The names that additions to the firmware for an SCD30 or SCD41 give to CO2 in PPM. */
const ENVIRO_CO2 = ['co2', 'scd_co2', 'scd41_co2'];
/** Names for VOC in PPB. Enviro's own `aqi` and `gas_resistance` are in no such unit. */
const ENVIRO_VOC = ['voc', 'tvoc'];

/**
 * Pimoroni Enviro, "custom HTTP endpoint". It keeps readings with their times, takes 200, 201 and 202 for success, and sends
 * the others again, the oldest first: a refused one would hold up all that follow.
 *
 * Source: `cache_upload` and `upload_readings` of enviro/__init__.py, enviro/destinations/http.py, April 2024.
 */
export const enviro: Adapter = {
  translate(sent) {
    const { nickname, uid, timestamp, readings } = membersOf(sent);
    const values = membersOf(readings);
    const firstOf = (names: string[]) =>
      names
        .map((name) => (Object.hasOwn(values, name) ? values[name] : null))
        .find((value) => value !== null) ?? null;
    const [co2, voc] = [firstOf(ENVIRO_CO2), firstOf(ENVIRO_VOC)];
    if (co2 === null && voc === null) {
      return refuse(
        'readings',
        `has neither CO2 (${ENVIRO_CO2.join(', ')}) nor VOC (${ENVIRO_VOC.join(', ')})`,
      );
    }
    return { ok: true, value: { co2, voc, created_at: timestamp, sensor: nickname || uid } };
  },
  repeatsRefused: true,
};
