import { METRICS, type Metric, type MetricField } from './metric';

/** Longer names aren't misspelt names of metrics. */
const LONGEST_NAME = 40;

/** In names of fewer characters, a letter that is replaced or left out makes another word: `soc`, `so2`, `vcc`. */
const LONG_ENOUGH = 5;
/** In names of fewer characters, so does one that is added or swapped: `co` isn't `eco`, `cov` or `oc`. */
const LEAST_LENGTH = 3;

/**
 * Other quantities whose names are one letter off a metric's: CO2 estimated from other gases (eCO2, CO2e), subsets of the VOCs, one of
 * the two counters of a PurpleAir, temperatures in °F and K, nitrous oxide, and words like `light`.
 */
const OTHER_QUANTITIES = new Set([
  ...['eco2', 'co2e'],
  ...['svoc', 'mvoc', 'vvoc', 'bvoc', 'nvoc'],
  ...['pm1a', 'pm1b', 'pm25a', 'pm25b', 'pm10a', 'pm10b'],
  ...['temperaturef', 'temperaturek'],
  ...['n2o', 'eno2', 'night', 'right', 'lights', 'flight'],
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
 * in another usual spelling (`temp`, `pm2.5`). Null for names of other quantities such as `so2`, `eCO2` and `outdoor_temperature`. The
 * exact name of a metric is never misspelt.
 */
export function misspeltMetric(name: string): Metric | null {
  if (name.length > LONGEST_NAME) return null;
  const text = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = text
    // `pm1.0` is PM1, and not PM10.
    .replace(/^([^a-z0-9]*pm[^a-z0-9]*\d+)[^a-z0-9]0(?!\d)/, '$1')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const word = words.join('');
  if (OTHER_QUANTITIES.has(word)) return null;
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
 * another quantity: `so2` isn't `no2`, `pm1` isn't PM10, and `voc2` may be a second sensor.
 */
function differsByOneLetter(name: string, right: string): boolean {
  if (right.length < LEAST_LENGTH) return false;
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
