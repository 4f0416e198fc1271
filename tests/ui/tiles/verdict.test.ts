import { describe, expect, test } from 'vitest';
import type { Reading, ReadingInput } from '../../../app/readings/reading';
import type { MoistureAnswer, VentilationAnswer } from '../../../app/readings/room/ventilation-answer';
import { formatInterval, trendOf, type Verdict, verdictOf } from '../../../app/ui/tiles/verdict';
import { seededRandom } from '../../../scripts/seed/seeded-random.js';
import { reading, readingsWithPauses, START, THRESHOLDS } from '../../support/readings/readings';
import { currentAiring, ventilation } from '../../support/readings/room';

/** Returns readings with these values, one every `everyMs`. */
function readingsOf(values: readonly Partial<ReadingInput>[], everyMs = 15_000) {
  return values.map((value, i) =>
    reading(i + 1, {
      co2: 500,
      voc: 100,
      ...value,
      created_at: new Date(START + i * everyMs).toISOString(),
    }),
  );
}

const co2 = (...values: number[]) => values.map((value) => ({ co2: value }));

/** Returns the verdict when the last of these readings has just arrived. */
function judge(values: readonly Partial<ReadingInput>[], everyMs?: number, thresholds = THRESHOLDS): Verdict {
  const readings = readingsOf(values, everyMs);
  return verdictOf({ readings, last: readings.at(-1) ?? null, thresholds }, 'live');
}

/** Returns the headline after each reading. */
function headlines(values: readonly Partial<ReadingInput>[], everyMs?: number): string[] {
  return values.map((_, i) => judge(values.slice(0, i + 1), everyMs).headline);
}

const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);
const changes = (texts: readonly string[]) =>
  texts.filter((text, i) => i > 0 && text !== texts[i - 1]).length;

test.each([
  [999, 'good', 'Good air', 'Nothing to do. CO2 is 999 PPM.'],
  [1000, 'moderate', 'Open a window soon', 'CO2 is 1000 PPM.'],
  [1999.999, 'moderate', 'Open a window soon', 'CO2 is 1999.99 PPM.'],
  [2000, 'poor', 'Open a window now', 'CO2 is 2000 PPM.'],
])('a single reading of %d PPM is %s: "%s", "%s"', (value, level, headline, detail) => {
  expect(judge(co2(value))).toEqual({ level, headline, detail });
});

test('shows the value, the trend and the time above the good threshold', () => {
  const rising = Array.from({ length: 110 }, (_, i) => ({ co2: 905 + 11 * i }));
  expect(judge(rising)).toEqual({
    level: 'poor',
    headline: 'Open a window now',
    detail: 'CO2 is 2104 PPM and rising; above 1000 for 25 min.',
  });
});

test.each([
  [
    'a dip below the threshold',
    [...times(30, 700), ...times(10, 1100), ...times(170, 960), 1001, 1001],
    '; above 1000 for 1 min.',
  ],
  [
    'a worse level before',
    [...times(30, 700), ...times(60, 2500), ...times(10, 1500)],
    '; above 1000 for 1 h.',
  ],
  ['too few readings', times(20, 2100), '; above 1000 for at least 18 min.'],
])('counts the time above the threshold, despite %s', (_, values, end) => {
  expect(judge(co2(...values), 60_000).detail).toContain(end);
});

test('names the metric that has been above its threshold', () => {
  const values = [...times(30, { co2: 1100, voc: 100 }), ...times(6, { co2: 700, voc: 450 })];
  expect(judge(values, 60_000).detail).toBe('VOC is 450 PPB and rising; above 400 for 5 min.');
});

test('names a cause for good air too: the metric closest to its threshold', () => {
  const falling = Array.from({ length: 40 }, (_, i) => ({ co2: 800 - 5 * i }));
  expect(judge(falling).detail).toBe('Nothing to do. CO2 is 605 PPM and falling.');
  expect(judge([{ co2: 500, voc: 300 }]).detail).toBe('Nothing to do. VOC is 300 PPB.');
});

test.each([
  [{ co2: 1500, voc: 100 }, 'CO2 is 1500 PPM'],
  [{ co2: 1500, voc: 850 }, 'VOC is 850 PPB'],
  [{ co2: 1500, voc: 700 }, 'VOC is 700 PPB'],
  [{ co2: 1500, voc: 500 }, 'CO2 is 1500 PPM'],
  [{ co2: 2500, voc: 1200 }, 'VOC is 1200 PPB'],
])('names the worse metric of %j: %s', (values, cause) => {
  expect(judge([values]).detail).toContain(cause);
});

test('a value just above a threshold is not rounded to it', () => {
  const values = [10, 15.04, 15.04].map((pm25) => ({ co2: 500, pm25 }));
  expect(judge(values, 60_000).detail).toContain('PM2.5 is 15.04 µg/m³; above 15 for at least 1 min.');
});

test('names the configured threshold', () => {
  const thresholds = { ...THRESHOLDS, co2: { good: 800.5, moderate: 1200 } };
  expect(judge(co2(600, 600, 600, 900, 900), 60_000, thresholds).detail).toMatch(
    /; above 800\.5 for 1 min\.$/,
  );
});

test.each([
  [co2(900, 1100), '; now above 1000.'],
  [co2(900, 1000), '; now at or above 1000.'],
  [co2(900, 1000, 1100), '; at or above 1000 for 15 s.'],
  [co2(900, 1100, 1000), '; at or above 1000 for 15 s.'],
  [co2(1100, 1100), 'CO2 is 1100 PPM; above 1000 for at least 15 s.'],
  [co2(1100), 'CO2 is 1100 PPM.'],
  [co2(1100, 900), '; now below 1000.'],
  [co2(1100, 900, 900), '; below 1000 for 15 s.'],
])('after %j, says "%s"', (values, end) => {
  expect(judge(values).detail.endsWith(end)).toBe(true);
});

test('excludes a silence from the time above the threshold', () => {
  const readings = readingsWithPauses(15_000, 15_000, 3_600_000, 15_000, 15_000).map((one, i) => ({
    ...one,
    co2: i === 0 ? 500 : 1200,
  }));
  const last = readings.at(-1) ?? null;
  const verdict = verdictOf({ readings, last, thresholds: THRESHOLDS }, 'live');
  expect(verdict.detail).toBe('CO2 is 1200 PPM; above 1000 for at least 30 s.');
});

test.each([12, 14])(
  'excludes a gap of %d min in minutely readings from the time above the threshold',
  (pause) => {
    const pauses = [...times(69, 60_000), pause * 60_000, 60_000];
    const readings = readingsWithPauses(...pauses).map((one, i) => ({ ...one, co2: i < 60 ? 700 : 1100 }));
    const detailAt = (count: number) =>
      verdictOf(
        { readings: readings.slice(0, count), last: readings[count - 1] ?? null, thresholds: THRESHOLDS },
        'live',
      ).detail;
    expect(detailAt(71)).toBe('CO2 is 1100 PPM.');
    expect(detailAt(72)).toBe('CO2 is 1100 PPM; above 1000 for at least 1 min.');
  },
);

test('ignores readings from the future', () => {
  const future = reading(99, { co2: 3000, created_at: '2099-01-01T00:00:00.000Z' });
  const known = readingsOf(co2(1100, 500));
  const last = reading(3, { co2: 600, voc: 100, created_at: new Date(START + 7_200_000).toISOString() });
  const verdict = verdictOf({ readings: [...known, future], last, thresholds: THRESHOLDS }, 'live');
  expect(verdict).toMatchObject({ level: 'good', detail: 'Nothing to do. CO2 is 600 PPM.' });
});

test('becomes worse at once', () => {
  expect(headlines(co2(500, 1000, 2000))).toEqual(['Good air', 'Open a window soon', 'Open a window now']);
});

test.each([
  [1000, 5],
  [14_000, 5],
  [15_000, 5],
  [20_000, 4],
  [30_000, 3],
  [60_000, 2],
  [300_000, 2],
])('with a reading every %d ms, becomes better with better reading %d', (everyMs, needed) => {
  const texts = headlines([...co2(...times(10, 2500)), ...co2(...times(10, 500))], everyMs);
  expect(texts.indexOf('Good air')).toBe(10 + needed - 1);
  expect(new Set(texts).size).toBe(2);
});

test('changes to the worst level of the recent readings', () => {
  const texts = headlines(co2(2500, 1500, 500, 500, 500, 500, 500));
  expect(texts.slice(-3)).toEqual(['Open a window now', 'Open a window soon', 'Good air']);
});

test.each([1000, 15_000, 60_000, 300_000])(
  'readings every %d ms that swing around a threshold change the headline once',
  (everyMs) => {
    const swinging = Array.from({ length: 40 }, (_, i) => ({ co2: 1000 + (i % 2 ? 8 : -8) }));
    expect(changes(headlines(swinging, everyMs))).toBe(1);
  },
);

test('the same readings give the same verdict, with or without older ones', () => {
  const values = co2(...times(50, 500), 1100, 900, 1050, 950, 900, 900);
  for (const known of [6, 10, 40, values.length])
    expect(judge(values.slice(-known)).level).toBe(judge(values).level);
  expect(judge(values).level).toBe('moderate');
});

test('after a silence, only the new readings count', () => {
  const readings = readingsWithPauses(15_000, 15_000, 3_600_000).map((one, i) => ({
    ...one,
    co2: i < 3 ? 2500 : 500,
  }));
  const last = readings.at(-1) ?? null;
  expect(verdictOf({ readings, last, thresholds: THRESHOLDS }, 'live').level).toBe('good');
});

test.each([
  [299.999, 'CO2 is 299.99 PPM, less than the air outdoors has.'],
  [0, 'CO2 is 0 PPM, less than the air outdoors has.'],
  [-5, 'CO2 is -5 PPM, less than the air outdoors has.'],
  [40_001, 'CO2 is 40001 PPM, more than the sensor can measure.'],
  [65_519, 'CO2 is 65519 PPM, more than the sensor can measure.'],
])('%d PPM of CO2 is a sensor fault', (value, detail) => {
  expect(judge(co2(value))).toMatchObject({ level: null, headline: 'Check the sensor', detail });
});

test('300 PPM of CO2 is not a sensor fault', () => {
  expect(judge(co2(300)).headline).toBe('Good air');
});

test('with a CO2 sensor fault, poor VOC still says to open a window', () => {
  const { headline, detail } = judge([{ co2: 0, voc: 900 }]);
  expect(headline).toBe('Open a window now');
  expect(detail).toMatch(
    /^VOC is 900 PPB\. Check the sensor: CO2 is 0 PPM, less than the air outdoors has\.$/,
  );
});

test('does not mention a past fault when the air is worse', () => {
  expect(judge(co2(500, 210, 1500)).detail).toBe('CO2 is 1500 PPM and rising; now above 1000.');
  expect(judge(co2(1500, 210))).toMatchObject({
    level: null,
    detail: 'CO2 is 210 PPM, less than the air outdoors has.',
  });
});

test('a fault lasts until it has been absent for a minute or five readings', () => {
  const texts = headlines(co2(295, 305, 295, 305, 305, 305, 305, 305));
  expect(texts).toEqual([...times(7, 'Check the sensor'), 'Good air']);
  expect(judge(co2(295, 305)).detail).toBe('CO2 was 295 PPM just now, less than the air outdoors has.');
});

test.each(['none', 'ahead', 'stale', 'checking', 'disconnected'] as const)(
  'the air is unknown if the newest reading is %s, whatever the last level',
  (freshness) => {
    for (const value of [500, 1500, 2500]) {
      const readings = readingsOf(co2(value));
      const verdict = verdictOf({ readings, last: readings[0] ?? null, thresholds: THRESHOLDS }, freshness);
      expect(verdict.level).toBeNull();
      expect(verdict.headline).toMatch(/not known|No readings yet/);
      expect(verdict.detail).not.toBe('');
    }
  },
);

test('says to check a sensor only once it is silent', () => {
  const readings = readingsOf(co2(500));
  const known = { readings, last: readings[0] ?? null, thresholds: THRESHOLDS };
  expect(verdictOf(known, 'stale').detail).toBe('No readings arrive.');
  expect(verdictOf({ ...known, isSilent: true }, 'stale').detail).toMatch(/: check it\.$/);
});

test('says which metric with levels is sent no more', () => {
  const readings = readingsOf(
    [{ co2: 2600, voc: null, temperature: 20 }, ...times(20, { co2: null, voc: null, temperature: 20 })],
    60_000,
  );
  const judged = (count: number) =>
    verdictOf(
      { readings: readings.slice(0, count), last: readings[count - 1] ?? null, thresholds: THRESHOLDS },
      'live',
    );
  expect(judged(4)).toMatchObject({
    level: null,
    headline: 'The air is not known',
    detail: 'The newest readings have no CO2, which was last measured 3 min before them.',
  });
  expect(judged(18).detail).toMatch(/last measured 17 min before them\. Check the sensor\.$/);
});

test('waits for a sensor with an hourly interval', () => {
  const readings = readingsOf(co2(500, 600, 700), 3_600_000);
  const known = { readings, last: readings[2] ?? null, thresholds: THRESHOLDS, age: '20 min' };
  expect(verdictOf(known, 'slow')).toMatchObject({
    level: null,
    detail: 'Last reading 20 min ago; it sends every hour.',
  });
});

test('has no level without readings', () => {
  expect(verdictOf({ readings: [], last: null, thresholds: THRESHOLDS }, 'live').level).toBeNull();
});

test.each([
  [{ co2: null, voc: 300 }, 'good', 'Nothing to do. VOC is 300 PPB.'],
  [{ co2: null, voc: 0 }, 'good', 'Nothing to do. VOC is 0 PPB.'],
  [{ co2: null, voc: 900 }, 'poor', 'VOC is 900 PPB.'],
  [{ co2: 500, voc: null }, 'good', 'Nothing to do. CO2 is 500 PPM.'],
  [{ co2: -5, voc: null }, null, 'CO2 is -5 PPM, less than the air outdoors has.'],
  [{ co2: 500, voc: -5 }, null, 'VOC is -5 PPB, which is not possible.'],
] as const)('uses the measured metric of %j', (values, level, detail) => {
  expect(judge([values])).toMatchObject({ level, detail });
});

test('a metric that some readings lack keeps its level, value, trend and time', () => {
  const rising = Array.from({ length: 110 }, (_, i) =>
    i % 2 ? { co2: null, voc: 100 } : { co2: 905 + 11 * i, voc: null },
  );
  expect(judge(rising)).toEqual({
    level: 'poor',
    headline: 'Open a window now',
    detail: 'CO2 is 2093 PPM and rising; above 1000 for 24 min.',
  });
});

test('says "at least" if the metric was not measured earlier', () => {
  const late = [{ co2: null }, { co2: null }, { co2: 1200 }, { co2: 1200 }];
  expect(judge(late).detail).toBe('CO2 is 1200 PPM; above 1000 for at least 15 s.');
});

test.each([
  [3_600_000, 'every hour'],
  [3_598_000, 'every hour'],
  [600_000, 'every 10 min'],
  [5_400_000, 'every 1 h 30 min'],
  [86_400_000, 'every day'],
])('calls an interval of %d ms "%s"', (ms, text) => {
  expect(formatInterval(ms)).toBe(text);
});

/** Returns readings every `everyMs` with these values of CO2. */
function co2Readings(values: readonly number[], everyMs = 15_000): Reading[] {
  return values.map((co2, i) =>
    reading(i + 1, { co2, created_at: new Date(START + i * everyMs).toISOString() }),
  );
}

const values = (count: number, value: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => value(i));
const trend = (co2: readonly number[], everyMs?: number) => trendOf(co2Readings(co2, everyMs), 'co2', 1000);

test.each([
  ['no readings', []],
  ['one reading', [500]],
  ['equal readings', values(40, () => 500)],
  ['a change of less than 2 % of the good threshold', values(40, (i) => 500 + 0.5 * i)],
  ['two readings that differ by less than 5 %', [500, 549]],
  ['one outlier', values(40, (i) => (i === 20 ? 2500 : 500))],
  ['one outlier at the end', values(40, (i) => (i === 39 ? 2500 : 500))],
  ['a peak in the middle', values(41, (i) => 1000 - 10 * Math.abs(20 - i))],
  ['values whose squares overflow', [1e308, -1e308, 1e308]],
])('the trend is steady for %s', (_, co2) => {
  expect(trend(co2)).toBe('steady');
});

test.each([
  [1000, 600],
  [15_000, 40],
  [60_000, 10],
  [150_000, 5],
  [290_000, 3],
  [300_000, 3],
])('with a reading every %d ms, %d readings show a rise or a fall', (everyMs, count) => {
  const before = values(5, () => 600);
  const step = 120 / count;
  expect(trend([...before, ...values(count, (i) => 600 + step * i)], everyMs)).toBe('rising');
  expect(trend([...before, ...values(count, (i) => 600 - step * i)], everyMs)).toBe('falling');
});

test('the trend uses only the last 10 minutes', () => {
  const co2 = [...values(100, (i) => 500 + 20 * i), ...values(41, (i) => 2500 - 10 * i)];
  expect(trend(co2)).toBe('falling');
  expect(trend([...values(100, (i) => 500 + 20 * i), ...values(41, () => 2500)])).toBe('steady');
});

test('the trend ignores readings before a silence', () => {
  const before = co2Readings(values(20, () => 500));
  const after = before.map((one) => ({
    ...one,
    id: one.id + 20,
    co2: 900,
    created_at: new Date(Date.parse(one.created_at) + 400_000).toISOString(),
  }));
  expect(trendOf([...before, ...after], 'co2', 1000)).toBe('steady');
});

test('shows the trend of the given metric', () => {
  const readings = co2Readings(values(40, (i) => 500 + 5 * i)).map((one, i) => ({
    ...one,
    voc: 300 - 5 * i,
  }));
  expect(trendOf(readings, 'co2', 1000)).toBe('rising');
  expect(trendOf(readings, 'voc', 400)).toBe('falling');
});

const SEED = 20260102;

describe(`noise of 30 PPM (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const noise = () => 30 * (random() + random() + random() + random() - 2) * Math.sqrt(3);
  const count = (wanted: string, slope: number) =>
    values(500, () => 0).filter(() => trend(values(41, (i) => 800 + slope * i + noise())) === wanted).length;

  test('is steady in at least 99 of 100 cases', () => {
    expect(count('steady', 0)).toBeGreaterThanOrEqual(495);
  });

  test('hides a rise or fall of 100 PPM in 10 minutes in at most 1 of 100 cases, and never reverses it', () => {
    expect(count('rising', 2.5)).toBeGreaterThanOrEqual(495);
    expect(count('falling', -2.5)).toBeGreaterThanOrEqual(495);
    expect(count('falling', 2.5)).toBe(0);
  });
});

test('the trend uses the readings that have the metric', () => {
  const rising = co2Readings(values(40, (i) => 500 + 10 * i));
  const sparse = rising.map((one, i) => (i % 3 ? { ...one, co2: null } : one));
  expect(trendOf(sparse, 'co2', 1000)).toBe('rising');
  expect(
    trendOf(
      sparse.map((one) => ({ ...one, co2: null })),
      'co2',
      1000,
    ),
  ).toBe('steady');
});

test('the worst of all metrics with thresholds decides, with its name and advice', () => {
  expect(judge([{ co2: 800, voc: 100, pm25: 40, temperature: 21 }])).toEqual({
    level: 'poor',
    headline: 'Poor air',
    detail: 'Filter the air, or ventilate if the air outside is better. PM2.5 is 40 µg/m³.',
  });
  expect(judge([{ co2: 800, co: 12, noise: 90, light: 5000, pm1: 900 }])).toEqual({
    level: 'poor',
    headline: 'Poor air',
    detail: 'Open the windows, and turn off stoves, heaters and engines. CO is 12 PPM.',
  });
  expect(judge([{ co2: 800, voc_index: 180 }])).toEqual({
    level: 'moderate',
    headline: 'Moderate air',
    detail: 'Ventilate, and look for the source. VOC index is 180.',
  });
  expect(judge([{ co2: 2500, pm25: 20 }]).headline).toBe('Open a window now');
});

test('a sensor without levels has no verdict', () => {
  expect(judge([{ co2: null, voc: null, humidity: 44.44 }])).toEqual({
    level: null,
    headline: 'No verdict on the air',
    detail: 'Humidity 44.4 %. The sensor measures nothing that has levels.',
  });
});

describe('with findings about the room', () => {
  const usual = { usual_airing_minutes: [8, 12] as [number, number] };
  const forecast = { threshold: 1000, minutes: [10, 20] as [number, number] };

  /** Returns the verdict on one reading. */
  const verdict = (values: Partial<ReadingInput>, known: Parameters<typeof ventilation>[0]) => {
    const [last = null] = readingsOf([values]);
    return verdictOf(
      { readings: last ? [last] : [], last, thresholds: THRESHOLDS, ventilation: ventilation(known) },
      'live',
    );
  };

  test('an airing replaces the headline and keeps the level', () => {
    const airing = currentAiring({ since: new Date(START - 300_000).toISOString() });
    expect(verdict({ co2: 1050 }, { airing })).toEqual({
      level: 'moderate',
      headline: 'About 4 more minutes of airing',
      detail: 'You are airing: CO2 fell from 1420 to 1050 PPM in 5 min.',
      progress: { share: 5 / 9, text: '5 of about 9 min' },
    });
  });

  test('an airing comes before another metric, unless CO2 alone is good enough', () => {
    const airing = currentAiring({ since: new Date(START - 300_000).toISOString() });
    expect(verdict({ co2: 900, voc: 450 }, { airing })).toMatchObject({
      level: 'moderate',
      headline: 'About 4 more minutes of airing',
      detail: 'You are airing: CO2 fell from 1420 to 900 PPM in 5 min. VOC is 450 PPB.',
    });
    const enough = { ...airing, remaining_minutes: null, is_enough: true };
    expect(verdict({ co2: 640, voc: 450 }, { airing: enough }).headline).toBe('Open a window soon');
  });

  test('moderate or poor CO2 shows how long airing takes, and good CO2 does not', () => {
    expect(verdict({ co2: 1200 }, usual).detail).toBe('CO2 is 1200 PPM. Airing takes 8 to 12 min here.');
    expect(verdict({ co2: 2200 }, usual).detail).toBe('CO2 is 2200 PPM. Airing takes 8 to 12 min here.');
    expect(verdict({ co2: 600 }, usual).detail).toBe('Nothing to do. CO2 is 600 PPM.');
    expect(verdict({ co2: 600, voc: 900 }, usual).detail).toBe('VOC is 900 PPB.');
    expect(verdict({ co2: 1200 }, {}).detail).toBe('CO2 is 1200 PPM.');
  });

  test('good air shows a forecast if there is one', () => {
    expect(verdict({ co2: 800 }, { forecast }).detail).toBe(
      'Nothing to do. CO2 is 800 PPM. Reaches 1000 PPM in about 10 to 20 min.',
    );
    expect(verdict({ co2: 500, voc: 390 }, { forecast }).detail).toBe(
      'Nothing to do. VOC is 390 PPB. CO2 reaches 1000 PPM in about 10 to 20 min.',
    );
  });

  test('a stale reading shows no airing', () => {
    const [last = null] = readingsOf([{ co2: 1050 }]);
    const known = { readings: [], last, thresholds: THRESHOLDS };
    const stale = verdictOf({ ...known, ventilation: ventilation({ airing: currentAiring() }) }, 'stale');
    expect(stale).toEqual(verdictOf(known, 'stale'));
  });
});

describe('with a hygrometer and no CO2', () => {
  const water: MoistureAnswer = {
    ...{ absolute_humidity: 10.3, absolute_humidity_error: 0.5, dew_point: 12, airing: null },
    ...{ outdoor_absolute_humidity: 4.8, airing_will: 'dry', mould: null },
  };
  const judge = (
    humidity: number,
    moisture: Partial<MoistureAnswer>,
    known: Partial<VentilationAnswer> = {},
  ) => {
    const values = { co2: null, voc: null, temperature: 20, humidity };
    const readings = readingsOf([values, values, values], 60_000);
    const answer = ventilation({ ...known, moisture: { ...water, ...moisture } });
    return verdictOf(
      { readings, last: readings.at(-1) ?? null, thresholds: THRESHOLDS, ventilation: answer },
      'live',
    );
  };
  const airing = { since: new Date(START - 600_000).toISOString(), from_g_m3: 10.3, to_g_m3: 6.1 };

  test('an airing is told, and its end', () => {
    expect(judge(50, { airing: { ...airing, is_enough: false } })).toMatchObject({
      ...{ level: null, headline: 'You are airing' },
      detail: 'The air gets drier: from 10.3 to 6.1 g/m³ in 12 min.',
    });
    expect(judge(50, { airing: { ...airing, is_enough: true } })).toMatchObject({
      ...{ headline: 'Enough: close the window' },
      detail: 'The air gets no drier: from 10.3 to 6.1 g/m³ in 12 min.',
    });
  });

  test.each([
    [50, {}, 'The sensor measures nothing that has levels.'],
    [65, {}, 'Airing will dry this room.'],
    [65, { airing_will: 'moisten' as const }, 'Airing will moisten this room. Keep it closed for now.'],
    [25, {}, 'Airing will dry this room.'],
    [65, { airing_will: null }, 'The sensor measures nothing that has levels.'],
  ])('at %d % of humidity and %j: %s', (humidity, moisture, detail) => {
    expect(judge(humidity, moisture)).toMatchObject({ headline: 'No verdict on the air' });
    expect(judge(humidity, moisture).detail).toBe(`Temperature 20 °C, Humidity ${humidity} %. ${detail}`);
  });

  test('the risk of mould is told with what to do, also where outdoor air is bad', () => {
    const mould = {
      wall_humidity: 90,
      wall_humidity_error: 4,
      hours: 9,
      of_hours: 24,
      risk: 'likely' as const,
    };
    const told = 'Cold walls had over 80 % humidity for 9 of 24 hours: mould may grow.';
    expect(judge(55, { mould })).toMatchObject({ headline: 'Risk of mould' });
    expect(judge(55, { mould }).detail).toContain(`${told} Airing will dry this room.`);
    expect(judge(55, { mould }, outdoorsWith(48)).detail).toContain(
      `${told} Airing would dry this room. Keep the window closed: PM2.5 outdoors is 48 µg/m³.`,
    );
  });
});

/** Returns an answer with this PM2.5 outdoors. */
function outdoorsWith(pm25: number, ageMinutes = 2): Partial<VentilationAnswer> {
  const at = new Date(Date.parse(ventilation().at) - ageMinutes * 60_000).toISOString();
  return {
    outdoors: {
      sensor: 'Garden',
      at,
      is_current: ageMinutes < 60,
      co2: null,
      pm25,
      temperature: null,
      humidity: null,
    },
  };
}

describe('with a sensor outdoors', () => {
  const verdictWith = (
    values: Partial<ReadingInput>,
    known: Partial<VentilationAnswer>,
    isOutdoors = false,
  ) => {
    const readings = readingsOf([values, values, values], 60_000);
    const last = readings.at(-1) ?? null;
    return verdictOf(
      { readings, last, thresholds: THRESHOLDS_OF_ALL, ventilation: ventilation(known), isOutdoors },
      'live',
    );
  };
  const THRESHOLDS_OF_ALL = { ...THRESHOLDS, pm25: { good: 15, moderate: 35 } };

  test.each([
    [
      { co2: 1400 },
      48,
      'Keep the window closed',
      /^CO2 is 1400 PPM.*\. PM2.5 outdoors is 48 µg\/m³\. Air only if CO2 gets poor\.$/,
    ],
    [
      { co2: 2400 },
      48,
      'Air for 5 minutes',
      /^CO2 is 2400 PPM.*First air for 5 minutes, then keep the window closed: PM2.5 outdoors is 48/,
    ],
    [{ co2: 2400 }, 5, 'Open a window now', /^CO2 is 2400 PPM; above 1000 for at least 1 min\.$/],
    [
      { co2: 600 },
      48,
      'Good air',
      /^CO2 is 600 PPM\. Keep the window closed: PM2.5 outdoors is 48 µg\/m³\.$/,
    ],
    [
      { pm25: 40 },
      48,
      'Keep the window closed',
      /^PM2.5 is 40 .*PM2.5 outdoors is 48 µg\/m³\. Filter the air\.$/,
    ],
    [
      { pm25: 40 },
      5,
      'Poor air',
      /^PM2.5 is 40 .*Filter the air, or open a window: PM2.5 outdoors is 5 µg\/m³\.$/,
    ],
  ])('%j and %d µg/m³ outdoors: %s', (values, pm25, headline, detail) => {
    const verdict = verdictWith(values, outdoorsWith(pm25));
    expect(verdict.headline).toBe(headline);
    expect(verdict.detail).toMatch(detail);
  });

  test('its old reading is told where a window would be opened', () => {
    expect(verdictWith({ co2: 2400 }, outdoorsWith(48, 180))).toMatchObject({
      headline: 'Open a window now',
      detail: expect.stringContaining("Outdoor air is unknown: Garden's last reading is 3 h old."),
    });
    expect(verdictWith({ co2: 600 }, outdoorsWith(48, 180)).detail).toBe('Nothing to do. CO2 is 600 PPM.');
  });

  test('an open window is closed soon in bad outdoor air', () => {
    const verdict = verdictWith({ co2: 900 }, { ...outdoorsWith(48), airing: currentAiring() });
    expect(verdict.detail).toMatch(/PM2.5 outdoors is 48 µg\/m³: close the window soon\.$/);
  });

  test('the sensor outdoors gets no advice', () => {
    const verdict = verdictWith({ co2: 430, pm25: 48 }, outdoorsWith(48), true);
    expect(verdict).toMatchObject({ level: 'poor', headline: 'Poor air outdoors' });
    expect(verdict.detail).toMatch(/^PM2.5 is 48 µg\/m³; above 15 for at least 1 min\.$/);
  });
});
