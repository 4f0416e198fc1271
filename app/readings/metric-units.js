/** Converts values to the units of the table of metrics. Plain JavaScript, because `airboard import` runs without a build. */
import { TABLE } from './metric-table.js';

/** @typedef {import('./metric').MetricField} MetricField */
/** @typedef {(value: number) => number} Convert */

/** @type {(factor: number) => Convert} Rounds away floating-point errors. */
const times = (factor) => (value) => Number((value * factor).toPrecision(12));

/** @type {Convert} */
const fromFahrenheit = (value) => Number((((value - 32) * 5) / 9).toFixed(6));

/**
 * For each unit of the table, the units that can be converted to it; null for another name of the same unit. Gases in mg/m³ or
 * µg/m³ can't be: the factor depends on the temperature that the device assumes (the EU 20 °C, the US EPA 25 °C), and for VOC on the
 * gas.
 *
 * @type {Record<string, Record<string, Convert | null>>}
 */
const UNITS = {
  PPM: { ppb: times(0.001) },
  PPB: { ppm: times(1000) },
  'µg/m³': { mgm3: times(1000) },
  '°C': {
    celsius: null,
    f: fromFahrenheit,
    fahrenheit: fromFahrenheit,
    k: (value) => Number((value - 273.15).toFixed(6)),
    kelvin: (value) => Number((value - 273.15).toFixed(6)),
  },
  '%': { '%rh': null, '%relh': null, rh: null, percent: null, pct: null },
  hPa: {
    mbar: null,
    mb: null,
    millibar: null,
    pa: times(0.01),
    kpa: times(10),
    bar: times(1000),
    inhg: times(33.863886),
    mmhg: times(1.333224),
    torr: times(1.333224),
  },
  'Bq/m³': { pcil: times(37) },
  dB: { dba: null, dbspl: null },
  lx: { lux: null, klx: times(1000) },
};

/** @param {string} text such as `°F` and `µg/m³` */
const unitKey = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('μ', 'u')
    .replace(/deg(rees?)?|[^a-z0-9%]/g, '');

/** Units of the metrics, and of other quantities that have a metric's name, such as absolute humidity. */
const KNOWN_UNITS = new Set([
  ...TABLE.map(({ unit }) => unitKey(unit)).filter(Boolean),
  ...Object.values(UNITS).flatMap((units) => Object.keys(units)),
  ...['gm3', 'gkg'],
]);

/** Returns true for a unit of a metric, or of another quantity with the same name. @param {string} text */
export const isUnit = (text) => KNOWN_UNITS.has(unitKey(text));

/**
 * Returns a metric's unit as Home Assistant writes it for its `deviceClass`: ppm and ppb in lower case.
 *
 * @param {string} unit
 */
export const unitInHomeAssistant = (unit) => (/^PP[MB]$/.test(unit) ? unit.toLowerCase() : unit);

/**
 * Returns the conversion of a metric's values from a unit; null if none is needed, undefined if none is possible.
 *
 * @param {string} unit such as `°F`; `index` for none
 * @param {MetricField} field
 * @returns {Convert | null | undefined}
 */
export function conversionFrom(unit, field) {
  const target = TABLE.find((row) => row.field === field)?.unit ?? '';
  if (target === '') return /^(index)?$/i.test(unit.trim()) ? null : undefined;
  const [key, units] = [unitKey(unit), UNITS[target] ?? {}];
  if (key === unitKey(target)) return null;
  return Object.hasOwn(units, key) ? units[key] : undefined;
}

/**
 * Returns why a metric can't be taken in a unit, as the end of a sentence.
 *
 * @param {string} unit
 * @param {MetricField} field
 */
export function cannotConvert(unit, field) {
  const target = TABLE.find((row) => row.field === field)?.unit || 'an index';
  const isMass = target.startsWith('PP') && /^[mu]gm3$/.test(unitKey(unit));
  const reason = isMass ? ', because the factor depends on the temperature and the gas' : '';
  return `is in ${unit}, which can't be converted to ${target}${reason}`;
}

/** @type {readonly MetricField[]} */
const OFTEN_IN_PPM = ['hcho', 'no2', 'o3'];
const ANY = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Values without a unit that may be in another one than the metric's. Pressure in mmHg isn't among them: 750 is also the pressure in
 * hPa at 2,500 m. VOC in ppm isn't either: clean air has few PPB. Devices send some gases in PPB, ppm or µg/m³, and radon in Bq/m³
 * or pCi/L, with similar numbers.
 *
 * @type {readonly { field: MetricField, from: number, to: number, unit: string }[]}
 */
const OTHER_RANGES = [
  { field: 'temperature', from: 50, to: 130, unit: '°F' },
  { field: 'temperature', from: 223, to: 360, unit: 'K' },
  { field: 'pressure', from: 30_000, to: 110_000, unit: 'Pa' },
  { field: 'pressure', from: 33, to: 110, unit: 'kPa' },
  { field: 'pressure', from: 15, to: 33, unit: 'inHg' },
  ...OFTEN_IN_PPM.map((field) => ({ field, ...ANY, unit: 'ppm' })),
  { field: 'radon', ...ANY, unit: 'pCi/L' },
];

/** What sensors report in °C in place of a value: a DS18B20 after power-on, and a thermistor without contact. */
const TEMPERATURE_FAULTS = [85, 127];

/**
 * Returns the other unit that a value without a unit may be in; null if it fits the metric's, or is a known fault.
 *
 * @param {MetricField} field
 * @param {number} value
 */
export function likelyUnit(field, value) {
  if (field === 'temperature' && TEMPERATURE_FAULTS.includes(value)) return null;
  return (
    OTHER_RANGES.find((each) => each.field === field && value > each.from && value < each.to)?.unit ?? null
  );
}
