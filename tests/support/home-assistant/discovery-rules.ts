/**
 * The rules by which Home Assistant takes or refuses a discovery message, from home-assistant/core:
 *
 * - `components/mqtt/discovery.py` and `schemas.py` (2026): topic, members of a device's announcement.
 * - `components/mqtt/sensor.py`, `validate_sensor_state_and_device_class_config`: options, units, state classes.
 * - `components/sensor/const.py` (commit 00eb6680, 2025.11): `DEVICE_CLASS_UNITS` and `DEVICE_CLASS_STATE_CLASSES`. Later
 *   versions allow more units and have more classes (`radon` from 2026.8 on).
 */

type Json = Record<string, unknown>;

const TOPIC = /^[^/+#]+(\/[^/+#]+)*\/device\/([a-zA-Z0-9_-]+\/)?[a-zA-Z0-9_-]+\/config$/;

const SHARED = ['availability_topic', 'state_topic'];
const DEVICE = ['identifiers', 'name', 'manufacturer', 'configuration_url'];
const ORIGIN = ['name', 'sw_version'];
/** The members that airboard uses: Home Assistant ignores unknown ones, so a misspelt one would go unnoticed. */
const OF_PLATFORM: Record<string, readonly string[]> = {
  sensor: ['device_class', 'options', 'state_class', 'unit_of_measurement'],
  binary_sensor: [],
};
const OF_ANY = ['platform', 'name', 'unique_id', 'value_template', 'expire_after'];

const MASS = ['μg/m³'];
const DEVICE_CLASS_UNITS: Record<string, readonly string[]> = {
  atmospheric_pressure: ['Pa', 'hPa', 'kPa', 'bar', 'cbar', 'mbar', 'mmHg', 'inHg', 'psi'],
  carbon_dioxide: ['ppm'],
  carbon_monoxide: ['ppm'],
  duration: ['d', 'h', 'min', 's', 'ms', 'μs'],
  humidity: ['%'],
  illuminance: ['lx'],
  nitrogen_dioxide: MASS,
  ozone: MASS,
  pm1: MASS,
  pm10: MASS,
  pm25: MASS,
  sound_pressure: ['dB', 'dBA'],
  temperature: ['°C', '°F', 'K'],
  volatile_organic_compounds: MASS,
  volatile_organic_compounds_parts: ['ppm', 'ppb'],
};

/** Returns what is wrong with a retained message that announces a device. */
export function discoveryFaults(topic: string, payload: string): string[] {
  const faults: string[] = [];
  const check = (isRight: unknown, fault: string) => void (isRight || faults.push(fault));
  const checkMembers = (of: string, value: Json, allowed: readonly string[]) =>
    check(
      Object.keys(value).every((key) => allowed.includes(key)),
      `${of} has members other than ${allowed.join(', ')}: ${Object.keys(value)}`,
    );
  check(TOPIC.test(topic), `illegal discovery topic ${topic}`);
  const sent: Json = JSON.parse(payload);
  checkMembers('the root', sent, ['device', 'origin', 'components', ...SHARED]);
  const [device, origin, components] = [sent.device, sent.origin, sent.components].map(
    (each) => each as Json,
  );
  if (!device || !origin || !components) return [...faults, 'device, origin or components is missing'];
  checkMembers('device', device, DEVICE);
  checkMembers('origin', origin, ORIGIN);
  const { identifiers, configuration_url: url } = device;
  check(Array.isArray(identifiers) && identifiers.length > 0, 'the device has no identifiers');
  check(url === undefined || /^https?:\/\//.test(String(url)), 'configuration_url is no address');
  check(typeof origin.name === 'string', 'the origin has no name');
  for (const shared of SHARED) check(isTopic(sent[shared]), `${shared} is no topic`);
  const ids = new Set<unknown>();
  for (const [key, each] of Object.entries(components)) {
    const entity = each as Json;
    const own = OF_PLATFORM[String(entity.platform)];
    check(own, `${key} has the platform ${entity.platform}`);
    // An entity of which only the platform is left is removed.
    if (Object.keys(entity).length === 1) continue;
    check(typeof entity.unique_id === 'string' && !ids.has(entity.unique_id), `${key} has no id of its own`);
    ids.add(entity.unique_id);
    checkMembers(key, entity, [...OF_ANY, ...(own ?? [])]);
    const { expire_after: expireAfter } = entity;
    check(Number.isInteger(expireAfter) && Number(expireAfter) > 0, `${key} has no time of expiry`);
    for (const fault of sensorFaults(entity)) faults.push(`${key} ${fault}`);
  }
  return faults;
}

function sensorFaults({ device_class, state_class, options, unit_of_measurement }: Json): string[] {
  const faults: string[] = [];
  // AMBIGUOUS_UNITS: the micro sign becomes the Greek letter.
  const unit = unit_of_measurement === undefined ? undefined : String(unit_of_measurement).replace('µ', 'μ');
  if (options !== undefined && (state_class !== undefined || unit !== undefined))
    faults.push('has options beside a state class or unit');
  if ((options !== undefined) !== (device_class === 'enum'))
    faults.push('has options without enum, or enum without');
  if (device_class !== undefined && device_class !== 'enum') {
    const units = DEVICE_CLASS_UNITS[String(device_class)];
    if (!units) faults.push(`has the unknown device class ${device_class}`);
    else if (unit === undefined || !units.includes(unit)) faults.push(`is ${device_class} in ${unit}`);
  }
  if (state_class !== undefined && state_class !== 'measurement')
    faults.push(`has the state class ${state_class}`);
  return faults;
}

const isTopic = (topic: unknown) => typeof topic === 'string' && /^[^+#\0]+$/.test(topic);
