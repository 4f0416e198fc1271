import { expect, test } from 'vitest';
import { metricsText, sensorMetrics } from '../../../app/metrics/metrics.server';
import { judgeReading } from '../../../app/readings/air/judge-reading';
import { LEVELS, type Level } from '../../../app/readings/level/level';
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
  [{ co2: 100, voc: null }, null],
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
    sensorMetrics([sensor], THRESHOLDS, now),
    'text/plain; version=0.0.4; charset=utf-8',
  );
  const number = level === null ? undefined : String(LEVELS.indexOf(level));
  expect(/^airboard_level.* (\d)$/m.exec(exported)?.[1]).toBe(number);
  // Notifications ignore a sensor fault, since nobody is notified of good air.
  const rules = { thresholds: THRESHOLDS, afterMs: 0, silentAfterMs: null };
  expect(judgeReading(null, last, rules).air.level).toBe(level ?? 'good');
});

test('the worst of the readings counts, and the newest value is named', () => {
  const given = [reading(1, { co2: 2500 }), reading(2, { co2: 600 })];
  const { level, metrics } = levelNow(given, THRESHOLDS);
  expect(level).toBe('poor');
  expect(metrics[0]).toMatchObject({ value: 600, level: 'poor' });
});

test('settling takes five readings, or the readings of a minute', () => {
  expect(settlingReadings(readings(50)).map(({ id }) => id)).toEqual([46, 47, 48, 49, 50]);
  expect(settlingReadings(readings(2))).toHaveLength(2);
  expect(settlingReadings([])).toEqual([]);
});
