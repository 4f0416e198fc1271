import { expect, test } from 'vitest';
import { metricsText, sensorMetrics } from '../../../app/metrics/metrics.server';
import { judgeReading } from '../../../app/readings/air/judge-reading';
import { LEVELS, type Level } from '../../../app/readings/level/level';
import { isFaulty, metricOf } from '../../../app/readings/metric';
import { levelNow, settlingReadings } from '../../../app/readings/now/level-now';
import type { ReadingInput } from '../../../app/readings/reading';
import { stripEntry } from '../../../app/ui/sensors/sensor-strip';
import { tabTitle } from '../../../app/ui/tab-title';
import { verdictOf } from '../../../app/ui/tiles/verdict';
import { reading, readings, sensorWith, THRESHOLDS } from '../../support/readings/readings';

test.each<[Partial<ReadingInput>, Level | null]>([
  [{ co2: 999.99, voc: 100 }, 'good'],
  [{ co2: 1000, voc: 100 }, 'moderate'],
  [{ co2: 1999.99, voc: 100 }, 'moderate'],
  [{ co2: 2000, voc: 100 }, 'poor'],
  [{ co2: 500, voc: 400 }, 'moderate'],
  [{ co2: null, voc: 800 }, 'poor'],
  [{ co2: 299.99, voc: null }, null],
  [{ co2: 300, voc: null }, 'good'],
  [{ co2: 40_000, voc: null }, 'poor'],
  [{ co2: 40_001, voc: 100 }, null],
  [{ co2: 65_519, voc: null }, null],
  [{ co2: 65_535, voc: 900 }, 'poor'],
  [{ co2: null, voc: -1 }, null],
  [{ co2: null, voc: null, pm25: -1 }, null],
  [{ co2: null, voc: null, pm25: 999 }, 'poor'],
  [{ co2: null, voc: null, pm10: 6553.5 }, null],
  [{ co2: null, voc: null, voc_index: 0 }, null],
  [{ co2: null, voc: null, nox_index: 65_535 }, null],
  [{ co2: 500, voc: null, temperature: -127, humidity: 140 }, 'good'],
])('%j is %s in the verdict, the strip, the tab and /metrics', async (values, level) => {
  const last = reading(1, values);
  const now = Date.parse(last.created_at) + 1000;
  const [sensor] = sensorWith([last]);
  if (!sensor) throw new Error('no sensor');
  expect(levelNow([last], THRESHOLDS).level).toBe(level);
  expect(verdictOf({ readings: [last], last, thresholds: THRESHOLDS }, 'live').level).toBe(level);
  expect(stripEntry(sensor, THRESHOLDS, now).level).toBe(level);
  const shown = {
    last,
    level,
    freshness: 'live',
    ageMs: 1000,
    thresholds: THRESHOLDS,
    sensor: null,
  } as const;
  expect(tabTitle(shown)).toContain(level ?? 'check the sensor');
  const exported = await metricsText(
    await sensorMetrics([sensor], THRESHOLDS, now),
    [],
    'text/plain; version=0.0.4; charset=utf-8',
  );
  const number = level === null ? undefined : String(LEVELS.indexOf(level));
  expect(/^airboard_level.* (\d)$/m.exec(exported)?.[1]).toBe(number);
  // The first reading of a sensor leaves the state as it is: good, which nobody is notified of.
  const rules = { thresholds: THRESHOLDS, afterMs: 0, silentAfterMs: null };
  expect(judgeReading(null, last, rules).air.level).toBe(level ?? 'good');
});

test('the worst of the readings counts, and the newest value is named', () => {
  const given = [reading(1, { co2: 2500 }), reading(2, { co2: 600 })];
  const { level, metrics } = levelNow(given, THRESHOLDS);
  expect(level).toBe('poor');
  expect(metrics[0]).toMatchObject({ value: 600, level: 'poor' });
});

test.each([
  ['temperature', -40, 84.9, [-300, -127, -45, -40.1, 85, 655.35]],
  ['humidity', 0, 100, [-1, -0.1, 100.4, 140, 999]],
  ['pressure', 300, 1100, [0, -128, 98_765]],
  ['pm25', 0, 999.9, [-1, -1000, 6553.5, 65_535]],
  ['voc', 0, 65_000, [-1, 65_535]],
] as const)('%s: only values that a working sensor reports are measurements', (field, from, to, faults) => {
  expect([from, to].map((value) => isFaulty(value, metricOf(field)))).toEqual([false, false]);
  expect(faults.filter((value) => !isFaulty(value, metricOf(field)))).toEqual([]);
});

test('settling takes five readings, or the readings of a minute', () => {
  expect(settlingReadings(readings(50)).map(({ id }) => id)).toEqual([46, 47, 48, 49, 50]);
  expect(settlingReadings(readings(2))).toHaveLength(2);
  expect(settlingReadings([])).toEqual([]);
});
