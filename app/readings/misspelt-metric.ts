import { METRICS, type Metric, type MetricField } from './metric';

/** Longer names aren't misspelt names of metrics. */
const LONGEST_NAME = 40;

/** In names of fewer characters, a letter that is replaced or left out makes another word: `soc`, `no2`, `vcc`. */
const LONG_ENOUGH = 5;

/**
 * Other quantities whose names are one letter longer than a metric's: CO2 estimated from other gases (eCO2, CO2e), subsets of the
 * VOCs, one of the two counters of a PurpleAir, and temperatures in °F and K.
 */
const OTHER_QUANTITIES = new Set([
  ...['eco2', 'co2e'],
  ...['svoc', 'mvoc', 'vvoc', 'bvoc', 'nvoc'],
  ...['pm25a', 'pm25b', 'pm10a', 'pm10b'],
  ...['temperaturef', 'temperaturek'],
]);

/** Spellings that decide nothing in a longer name, unlike the aliases. `P1` and `P2` are Sensor.Community's. */
const OTHER_SPELLINGS: Partial<Record<MetricField, string[]>> = {
  co2: ['c02', 'co2value', 'co2concentration'],
  pm25: ['p2'],
  pm10: ['p1'],
  temperature: ['tmp', 'tempcelsius', 'temperaturecelsius'],
  humidity: ['humid', 'humiditypercent', 'relhumidity', 'relhum'],
  pressure: ['press', 'pres', 'baro'],
};

/**
 * The metrics by their other spellings in lower case without punctuation: aliases, each name also with its unit (`co2ppm`), and
 * `OTHER_SPELLINGS`.
 */
const BY_SPELLING = new Map<string, Metric>([
  ...METRICS.flatMap((metric) => {
    const plain = plainOf(metric);
    const unit = metric.unit.normalize('NFKD').replace('μ', 'u').toLowerCase();
    const suffix = unit.replace(/[^a-z0-9]/g, '');
    const spellings = [plain, ...metric.aliases].flatMap((name) => [name, name + suffix]);
    return spellings.map((spelling): [string, Metric] => [spelling, metric]);
  }),
  ...Object.entries(OTHER_SPELLINGS).flatMap(([field, spellings]) =>
    METRICS.filter((metric) => metric.field === field).flatMap((metric) =>
      spellings.map((spelling): [string, Metric] => [spelling, metric]),
    ),
  ),
]);

/**
 * Returns the metric whose name a member's name seems to be: in another case (`CO2`), misspelt by one letter (`temprature`), or
 * in another usual spelling (`temp`, `pm2.5`). Null for names of other quantities such as `co`, `no2`, `pm1`, `eCO2` and
 * `outdoor_temperature`. The exact name of a metric is never misspelt.
 */
export function misspeltMetric(name: string): Metric | null {
  if (name.length > LONGEST_NAME) return null;
  const text = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = text.split(/[^a-z0-9]+/).filter(Boolean);
  const word = words.join('');
  // `pm1.0` isn't PM10.
  if (OTHER_QUANTITIES.has(word) || (word === 'pm10' && words.at(-1) === '0')) return null;
  const metric = BY_SPELLING.get(word) ?? METRICS.find((each) => isOneLetterOff(words.join('_'), each));
  return metric?.field === name ? null : (metric ?? null);
}

function plainOf({ field }: Metric): string {
  return field.replaceAll('_', '');
}

function isOneLetterOff(name: string, metric: Metric): boolean {
  return [metric.field, plainOf(metric)].some((right) => differsByOneLetter(name, right));
}

/**
 * Returns true if one letter is added, swapped with its neighbour, or (in a long name) left out or replaced. Other digits are
 * another quantity: `pm1` isn't PM10, and `voc2` may be a second sensor.
 */
function differsByOneLetter(name: string, right: string): boolean {
  if (Math.abs(name.length - right.length) > 1 || digitsOf(name) !== digitsOf(right)) return false;
  let same = 0;
  while (same < right.length && name[same] === right[same]) same += 1;
  const [rest, rightRest] = [name.slice(same), right.slice(same)];
  if (rest.slice(1) === rightRest) return true;
  if (rest.slice(2) === rightRest.slice(2) && rest[0] === rightRest[1] && rest[1] === rightRest[0])
    return true;
  if (right.length < LONG_ENOUGH) return false;
  return rest === rightRest.slice(1) || rest.slice(1) === rightRest.slice(1);
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
