import { isObject, membersOf } from '../ingest/devices';
import { METRICS, type MetricField } from '../readings/metric';
import { type NamedValue, type NameSettings, readValue } from './named-value.server';

/** The metrics in a message with the whole state of a device. */
export interface DeviceState {
  values: Partial<Record<MetricField, number>>;
  /** When the state was measured, as sent; undefined if the message doesn't say it. */
  time?: unknown;
  /** Why members that look like a metric aren't taken, for the log. */
  remarks: string[];
}

type Members = Record<string, unknown>;

/** Collects values. The first one of a metric counts. */
class Values {
  readonly values: DeviceState['values'] = {};
  readonly #refused: { reason: string; looksLike: MetricField | null }[] = [];

  add(read: NamedValue): void {
    if (read.kind === 'value') this.values[read.field] ??= read.value;
    if (read.kind === 'refused') this.#refused.push(read);
  }

  /** The reasons for members that look like a metric without a value. */
  remarks(): string[] {
    const missing = this.#refused.filter(
      ({ looksLike }) => looksLike && this.values[looksLike] === undefined,
    );
    return missing.map(({ reason }) => reason);
  }
}

const FIELDS: ReadonlySet<string> = new Set(METRICS.map(({ field }) => field));
/**
 * The unit of each is the same for all devices of Zigbee2MQTT. Pressure is in kPa for some, and VOC in ppm or µg/m³. Radon, NO2 and
 * ozone aren't among its names.
 */
const SAME_IN_ZIGBEE2MQTT = METRICS.map(({ field }) => field).filter(
  (field) => !['pressure', 'voc', 'hcho', 'no2', 'o3', 'radon'].includes(field),
);
/** Zigbee2MQTT's names for formaldehyde, in mg/m³. */
const FORMALDEHYDE = ['formaldehyd', 'formaldehyde', 'hcho'];

/** Returns true for a state of Zigbee2MQTT, whose base topic may have any name. */
export const isZigbee = (levels: readonly string[], sent: Members) =>
  levels[0] === 'zigbee2mqtt' || (!('created_at' in sent) && ('linkquality' in sent || 'last_seen' in sent));

/**
 * Reads the state of a Zigbee device. Zigbee2MQTT uses airboard's names. A value that the device hasn't reported yet is null.
 * At its start, Zigbee2MQTT sends the last state of each device again, with the time in `last_seen` if that is switched on.
 */
export function zigbeeState(names: NameSettings, sensor: string, members: Members): DeviceState {
  const found = new Values();
  const byOwnName = Object.entries(members).sort(([a], [b]) => Number(FIELDS.has(b)) - Number(FIELDS.has(a)));
  for (const [name, value] of byOwnName) {
    if (value === null || isObject(value) || typeof value === 'boolean') continue;
    if (!FIELDS.has(name) && Number.isNaN(Number(value))) continue;
    // Beside a value in lx, that of older versions is the device's own number.
    if (name === 'illuminance' && 'illuminance_lux' in members) continue;
    const unit = FORMALDEHYDE.includes(name) ? 'mg/m³' : undefined;
    const isVoc = name === 'voc';
    const documented =
      isVoc && isInPpb(members) ? [...SAME_IN_ZIGBEE2MQTT, 'voc' as const] : SAME_IN_ZIGBEE2MQTT;
    const read = readValue(names, { sensor, name, value, documented, ...(unit && { unit }) });
    const isSure = read.kind !== 'value' || !read.named || read.named.isAlone;
    if (isVoc && read.kind === 'refused') found.add({ ...read, reason: vocReason(sensor) });
    else if (isSure) found.add(read);
  }
  return { values: found.values, time: members.last_seen, remarks: found.remarks() };
}

/**
 * Returns true if the `voc` of a Zigbee device is in PPB. It is in µg/m³ for the devices of Develco, Heiman and Wirenboard, and
 * for Tuya's air boxes in PPB or ppm, depending on the model and the version of Zigbee2MQTT.
 *
 * Source: zigbee-herdsman-converters, src/devices and src/lib/lumi.ts.
 */
function isInPpb(members: Members): boolean {
  if ('display_unit' in members) return true;
  const isOther = [...FORMALDEHYDE, 'aqi', 'air_quality'].some((name) => name in members);
  return !isOther && Number.isInteger(Number(members.voc));
}

const vocReason = (sensor: string) =>
  `"voc" may be in PPB, ppm or µg/m³: set MQTT_NAMES=${sensor}/voc=voc for PPB, or ${sensor}/voc=voc:ppm`;

/** Returns true for a message of Tasmota, whose `FullTopic` may have any levels before `SENSOR`. */
export const isTasmota = (levels: readonly string[], sent: Members) =>
  levels.at(-1) === 'SENSOR' || ('Time' in sent && Object.values(sent).some(isObject));

/** These sensors are warmer than the air, so another sensor's temperature is preferred. */
const IS_WARM = /^(SCD|MHZ|SENSEAIR|BMP|SGP|SEN[56])/;
/** The objects with the temperature of the device. */
const IS_DEVICE = /^(ESP32|AXP|ENERGY)/;

/**
 * Reads the sensors of Tasmota, an object for each. Its drivers xsns_*.ino name the members. `eCO2` is left out, because it is
 * estimated from VOC.
 */
export function tasmotaState(names: NameSettings, sensor: string, members: Members): DeviceState {
  const found = new Values();
  const drivers = Object.entries(members).filter(([driver]) => !IS_DEVICE.test(driver));
  drivers.sort(([a], [b]) => Number(IS_WARM.test(a)) - Number(IS_WARM.test(b)));
  for (const [driver, values] of drivers) {
    for (const [name, value] of Object.entries(membersOf(values))) {
      if (isObject(value)) continue;
      const fullName = driver === 'SGP40' && name === 'AirQuality' ? 'voc_index' : `${driver} ${name}`;
      const unit = unitOf(driver, name, members);
      const read = readValue(names, { sensor, name, fullName, value, ...(unit && { unit }) });
      // An index is 0 until the sensor is warm.
      if (read.kind === 'value' && read.value === 0 && read.field.endsWith('_index')) continue;
      found.add(read);
    }
  }
  return { values: found.values, time: tasmotaTime(members), remarks: found.remarks() };
}

/** The gases of `MGS` are in ppm. `Light` and `Noise` of a Sonoff SC are in percent; other drivers have `Illuminance` in lx. */
function unitOf(driver: string, name: string, { TempUnit, PressureUnit }: Members): string | undefined {
  if (driver === 'MGS') return 'ppm';
  if (/^(light|noise)$/i.test(name)) return '%';
  const unit = /^temperature/i.test(name) ? TempUnit : /pressure$/i.test(name) ? PressureUnit : undefined;
  return typeof unit === 'string' ? unit : undefined;
}

/** `Epoch` is sent after the command `Time 4` only, and `Time` has an offset only after `SetOption52 1`. */
function tasmotaTime({ Epoch, Time }: Members): unknown {
  return Epoch ?? (typeof Time === 'string' && /(Z|[+-]\d\d:?\d\d)$/.test(Time) ? Time : undefined);
}
