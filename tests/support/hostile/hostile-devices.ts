import fc from 'fast-check';
import { hostileBodies, MARKUP, numberText } from './hostile-bodies';

/** Names that a device may give itself, most of which aren't valid as those of a sensor. */
const name = fc.constantFrom<unknown>(
  ...[
    '1234567',
    'Küche',
    ' Attic ',
    '__proto__',
    '',
    ' ',
    'a\nb',
    'x'.repeat(65),
    0,
    7,
    null,
    undefined,
    {},
    [],
  ],
  ...MARKUP,
);
const value = fc.oneof(
  { weight: 5, arbitrary: numberText },
  fc.double(),
  fc.constantFrom<unknown>(null, undefined, true, '', 'nan', [], [1], {}, { valueOf: 1 }),
);
const CO2 = 'SCD30_co2_ppm';
const valueType = fc.constantFrom<unknown>(CO2, CO2, CO2, 'SDS_P1', 'scd30_co2_ppm', '__proto__', 7, null);
const airRohrValues = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(
      fc.oneof({ weight: 8, arbitrary: fc.record({ value_type: valueType, value }) }, value),
      {
        maxLength: 4,
      },
    ),
  },
  // More than 16 KiB.
  value.map((value) => Array(1000).fill({ value_type: CO2, value })),
  value,
);
const airRohr = fc.record({ esp8266id: name, software_version: name, sensordatavalues: airRohrValues });

/** Each time once: a second reading of a sensor and a time would be refused. */
const pastTime = fc
  .noBias(fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2026, 0) }))
  .map((ms) => new Date(ms).toISOString());
const timestamp = fc.oneof(
  { weight: 6, arbitrary: pastTime },
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    '2026-13-01T00:00:00Z',
    '2099-01-01T00:00:00Z',
    0,
    -1,
    1e20,
    [],
    {},
  ),
);
const readingName = fc.constantFrom(
  'co2',
  'co2',
  'scd_co2',
  'scd41_co2',
  'voc',
  'tvoc',
  'aqi',
  'temperature',
  '__proto__',
);
const enviroReadings = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(readingName, value, { maxKeys: 4 }) },
  value,
);
const enviro = fc.record({ nickname: name, uid: name, timestamp, model: name, readings: enviroReadings });

const bodies = (device: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 4, arbitrary: device.map((sent) => new TextEncoder().encode(JSON.stringify(sent))) },
    { weight: 1, arbitrary: hostileBodies },
  );
const query = fc.constantFrom('', '', '?sensor=Attic');

/** Addresses of devices that speak their own words, and bodies like theirs. */
export const deviceBodies = fc.oneof(
  fc.tuple(
    query.map((search) => `/api/airrohr${search}`),
    bodies(airRohr),
  ),
  fc.tuple(
    query.map((search) => `/api/enviro${search}`),
    bodies(enviro),
  ),
);

type Members = Record<string, unknown>;

const membersOf = (sent: unknown) => (typeof sent === 'object' && sent !== null ? sent : {}) as Members;

/**
 * Returns the members of a post to `/api/data` for what was sent to an address, independently of the product's code; null
 * if there are none.
 */
export function membersSent(target: string, sent: unknown): Members | null {
  const named = target.includes('?sensor=') ? { sensor: 'Attic' } : {};
  if (target.startsWith('/api/airrohr')) {
    const { esp8266id: sensor, sensordatavalues } = membersOf(sent);
    const found =
      Array.isArray(sensordatavalues) && sensordatavalues.find((item) => item?.value_type === CO2);
    return found ? { co2: found.value, voc: null, sensor, ...named } : null;
  }
  if (target.startsWith('/api/enviro')) {
    const { nickname, uid, timestamp: created_at, readings } = membersOf(sent);
    const of = (names: string[]) =>
      names
        .filter((name) => Object.hasOwn(membersOf(readings), name))
        .map((name) => membersOf(readings)[name])
        .find((value) => value !== null);
    const [co2 = null, voc = null] = [of(['co2', 'scd_co2', 'scd41_co2']), of(['voc', 'tvoc'])];
    return { co2, voc, created_at, sensor: nickname || uid, ...named };
  }
  return membersOf(sent);
}
