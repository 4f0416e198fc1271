/**
 * Says which metric a name means, for names in topics, messages and files. Plain JavaScript, because `airboard import` runs
 * without a build.
 */
import { TABLE } from './metric-table.js';
import { isUnit } from './metric-units.js';

/** @typedef {import('./metric').MetricField} MetricField */
/**
 * The metric that a name means.
 *
 * - `name`: the metric's own name or alias among the words, in lower case without spaces.
 * - `unit`: the unit in the name, as sent.
 * - `or`: another metric that the name may mean. A bare `voc` is in PPB for some devices, and an index for others.
 * - `before`: the other words before the metric's, such as `living_room` and `bedroom_scd41`.
 * - `place`: those words of `before` that aren't a device's.
 * - `isAlone`: true if the other words, such as `average` and `value`, name neither a place nor a device.
 *
 * @typedef {{ field: MetricField, name: string, unit?: string, or?: MetricField, before: string, place: string, isAlone: boolean }} NamedMetric
 */

/** Longer names aren't read. */
const LONGEST_NAME = 200;

/** @param {string} text */
const setOf = (text) => new Set(text.split(/\s+/).filter(Boolean));

/** Words that make another quantity of any metric. */
const OTHER_QUANTITY = setOf(`
  set setpoint target desired setting threshold limit alarm alert warning offset calibration baseline accuracy soll sollwert
  min minimum max maximum lowest highest low high difference differential diff delta drop rate change trend slope gradient
  deviation stddev variance error fault status forecast predicted count counts number aqi index score equivalent eq
  estimated estimate breath virtual specific partial vapor vapour deficit vpd flow water pool soil liquid oil tank pipe
  inlet outlet coil compressor exhaust uptime interval duration
`);
/** Averages of a span, such as `24h` and `10minute`. */
const SPAN = /^\d+(s|secs?|min|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/;

/** Words that make another quantity of a temperature, or that of a device. */
const OTHER_TEMPERATURE = setOf(`
  color colour correlated dew dewpoint frost wet bulb feels apparent heatindex windchill chill radiant object body skin
  internal processor cpu gpu core chip mcu soc die board pcb device esp esp8266 esp32 esp32s2 esp32s3 esp32c3 esp32c6
  battery disk hdd ssd motor inverter heatsink
`);
const OTHER_HUMIDITY = setOf('absolute abs ground leaf wood material absolut dew');
const OTHER_PRESSURE = setOf(
  'relative rel sea sealevel msl slp qnh reduced altitude sound blood tire tyre radiation gauge gas dynamic wind',
);
/** Words of a radio, whose noise isn't that of a room. */
const OTHER_NOISE = setOf('wifi wlan wireless signal snr rssi rf radio antenna');
/** Words of the air outdoors. Its pressure is that of the room. */
const OUTDOORS = setOf('outdoor outdoors outside exterior external garden aussen draussen');

/** Words that change nothing. */
const PASSED = setOf(`
  value values concentration conc average averaged avg mean median sensor reading measurement measured current actual live now
  weight mass wert mittelwert air ambient indoor indoors inside room corrected compensated raw filtered smoothed atm cf cf1 alt std standard relative
  absolute abs barometric um m ugm3
`);
/** Devices whose names have few digits. */
const DEVICES = setOf(
  'mh senseair scd sgp sht sen bme bmp dht aht sps pms sds hpm npm ips s8 waveplus wavemini airthings zyaura ruuvitag iaq core particulate matter',
);
/** A device's name, such as `scd41`, `sen5x`, `z19` and `lywsd03mmc`. */
const DEVICE = /^[a-z]+(\d{2,}[a-z]*\d*|\dx[a-z]*)$/;

/** Devices whose VOC is Sensirion's index, in ESPHome and Tasmota. */
const HAS_INDEX = /^(sgp4[01x]|sen[56][0-9x])$/;
/** Devices whose VOC is in PPB. */
const HAS_PPB = /^(waveplus|wavemini|airthings|sgp30|ccs811|ens16[01x]|ags10|sm300d2)$/;
/** Devices that estimate CO2 from other gases. */
const ESTIMATES_CO2 = /^(ccs811|sgp30|ens16[01x]|bme68[08x]|iaq|iaqcore|sm300d2|ags10|zmod4410|mq135)$/;

/** The size of particles, as in `PM <2.5µm`, `pm_2_5` and `Particulate matter 10.0`. `PMC` counts particles. */
const PARTICLES =
  /(?<![a-z0-9])(?:pm|particulate[^a-z0-9]*matter)[^a-z0-9]*(1[._,p]0|2[._,pd]5|4[._,p]0|10[._,p]0|100|10|25|02|01|1|4)(?!\d)/g;
/** Sensor.Community's names, such as `SDS_P1`: P1 is PM10, and P2 is PM2.5. */
const SENSOR_COMMUNITY = /(?<![a-z0-9])((?:sds|pms|hpm|npm|ips|sps)[0-9x]*[^a-z0-9]*)p([12])(?![a-z0-9])/g;
/** The particles by their size as a number. AirGradient's `pm02` is PM2.5. @type {Record<string, string>} */
const BY_SIZE = { 1: 'pm1', 2: 'pm25', 2.5: 'pm25', 25: 'pm25', 4: 'pm4', 10: 'pm10', 100: 'pm10' };

/** The metrics by their names and aliases without spaces. @type {Map<string, MetricField>} */
const BY_NAME = new Map(
  TABLE.flatMap(({ field, aliases }) =>
    [field.replaceAll('_', ''), ...aliases].map((name) => /** @type {const} */ ([name, field])),
  ),
);
/** The most words of a metric's name. */
const MOST_WORDS = 3;

/**
 * Returns the metric that a name means; null for another quantity. All words count: `absolute_humidity`, `color_temperature` and
 * `CO alarm` aren't metrics, but `senseair_co2_value` and `PM <2.5µm weight concentration` are.
 *
 * @param {string} text
 * @returns {NamedMetric | null}
 */
export function readName(text) {
  const named = interpret(text);
  return named?.after.every(isPassed) ? named.metric : null;
}

/** Returns the field of the metric that a name means; null if unknown. @param {string} text */
export const metricNamed = (text) => readName(text)?.field ?? null;

/**
 * Returns the field of the metric that a name seems to mean, for a suggestion. It may have unknown words after the metric's, such
 * as `co2_kitchen`; null for another quantity.
 *
 * @param {string} text
 */
export const likelyMetric = (text) => interpret(text)?.metric.field ?? null;

/** Returns true if a name has a metric's name in it, such as `outdoor_temperature`. @param {string} text */
export const mentionsMetric = (text) => metricsIn(wordsOf(splitUnit(text).name)).length > 0;

/**
 * @param {string} text
 * @returns {{ metric: NamedMetric, after: string[] } | null} `after` are the words after the metric's
 */
function interpret(text) {
  if (text.length > LONGEST_NAME) return null;
  const { name, unit } = splitUnit(text);
  const words = wordsOf(name);
  const found = metricsIn(words);
  const last = found.at(-1);
  if (!last) return null;
  const [before, after] = [words.slice(0, last.first), words.slice(last.end)];
  const others = [...before, ...after];
  const own = words.slice(last.first, last.end).join('');
  const field = /^t?voc$/.test(own) && others.some((word) => HAS_INDEX.test(word)) ? 'voc_index' : last.field;
  // The temperature of a CO2 sensor isn't that of the air. Xiaomi has a "Temperature Humidity Sensor".
  const isOfOther = found.some((each) => each.field !== last.field) && !before.includes('sensor');
  if (isOfOther || isOtherQuantity(field, others)) return null;
  const isAmbiguous =
    field === 'voc' && own === 'voc' && unit === undefined && !others.some((word) => HAS_PPB.test(word));
  const metric = {
    field,
    name: own,
    ...(unit !== undefined && { unit }),
    ...(isAmbiguous && { or: /** @type {const} */ ('voc_index') }),
    before: before.join('_'),
    place: before.every(isPassed)
      ? ''
      : before.filter((word) => word === 'room' || !isPassed(word)).join('_'),
    isAlone: others.every((word) => PASSED.has(word)),
  };
  return { metric, after };
}

/** Returns the metrics that words name, in order. The longest name counts: `voc index` isn't VOC. @param {string[]} words */
function metricsIn(words) {
  const found = [];
  for (let first = 0; first < words.length; first += 1) {
    for (let end = Math.min(first + MOST_WORDS, words.length); end > first; end -= 1) {
      const field = BY_NAME.get(words.slice(first, end).join(''));
      if (!field) continue;
      found.push({ field, first, end });
      first = end - 1;
      break;
    }
  }
  return found;
}

/**
 * Returns true if other words of a metric's name make another quantity of it.
 *
 * @param {MetricField} field
 * @param {string[]} others
 */
function isOtherQuantity(field, others) {
  const has = (/** @type {Set<string>} */ set) => others.some((word) => set.has(word));
  if (has(OTHER_QUANTITY) || others.some((word) => SPAN.test(word))) return true;
  if (field === 'co2' && others.some((word) => ESTIMATES_CO2.test(word))) return true;
  if (field === 'temperature' && has(OTHER_TEMPERATURE)) return true;
  if (field === 'humidity' && has(OTHER_HUMIDITY)) return true;
  if (field === 'noise' && has(OTHER_NOISE)) return true;
  // An SGP4x also sends the signal of its sensor, and Zigbee2MQTT that of a light sensor.
  if (/^(voc|nox|light)/.test(field) && others.includes('raw')) return true;
  return has(field === 'pressure' ? OTHER_PRESSURE : OUTDOORS);
}

/** @param {string} word */
const isPassed = (word) => PASSED.has(word) || DEVICES.has(word) || DEVICE.test(word) || /^\d+$/.test(word);

/** Splits a name into words in lower case. Sizes of particles become `pm1`, `pm25`, `pm4` and `pm10`. @param {string} name */
function wordsOf(name) {
  return plain(name)
    .replace(
      /([a-z]{2}|\d)([A-Z])|([A-Z])(?=[A-Z][a-z]{2})/g,
      (_, a = '', b = '', c = '') => `${a || c} ${b}`,
    )
    .toLowerCase()
    .replace(SENSOR_COMMUNITY, (_, device, size) => `${device} ${size === '1' ? 'pm10' : 'pm25'} `)
    .replace(PARTICLES, (_, size) => ` ${BY_SIZE[Number(size.replace(/[_,pd]/, '.'))]} `)
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** Writes `₂` as 2, and letters without their accents. @param {string} text */
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');

/**
 * Splits a name such as `Temp (°F) corrected`, `temp_f` and `PM2.5 ug/m3` into name and unit.
 *
 * @param {string} text
 * @returns {{ name: string, unit?: string }}
 */
function splitUnit(text) {
  for (const pattern of [
    /^(.*?)[([]([^)\]]*)[)\]](.*)$/s,
    /^(.*[^\s_,/-])[\s_,/-]+((?:[uµμm]?g|bq)[\s_/]?m\^?[3³]|pci[\s_/]?l)()$/i,
    /^(.*[^\s_,/-])[\s_,/-]+(\S+)()$/s,
  ]) {
    const [, before = '', unit = '', after = ''] = pattern.exec(text.trim()) ?? [];
    const name = `${before} ${after}`;
    if (isUnit(unit) && metricsIn(wordsOf(name)).length > 0) return { name, unit };
  }
  return { name: text };
}
