import { expect, test } from 'vitest';
import { compareStandings, standingOf } from '../../../app/ui/sensors/sensor-strip';
import { reading, START, sensorWith } from '../../support/readings/readings';
import { THRESHOLDS } from '../../support/readings/thresholds';

const MINUTE = 60_000;

/** Returns the standing of a sensor whose newest reading has these values and is this old. */
function standing(name: string, values: { co2?: number | null; voc?: number | null } = {}, ageMs = 4000) {
  const created_at = new Date(START - ageMs).toISOString();
  const [summary] = sensorWith([reading(1, { co2: 500, voc: 100, ...values, created_at, sensor: name })]);
  if (!summary) throw new Error('no sensor');
  return standingOf(summary, THRESHOLDS, START);
}

test.each([
  [{ co2: 999, voc: 399 }, '999 PPM', 'good', null],
  [{ co2: 1000, voc: 100 }, '1000 PPM', 'moderate', null],
  [{ co2: 1200, voc: 500 }, '1200 PPM', 'moderate', null],
  [{ co2: 862, voc: 900 }, '862 PPM', 'poor', 'VOC'],
  [{ co2: 300, voc: 100 }, '300 PPM', 'good', null],
  [{ co2: 299.9, voc: 100 }, '299.9 PPM', null, null],
  [{ co2: 164, voc: null }, '164 PPM', null, null],
  [{ co2: 164, voc: 900 }, '164 PPM', 'poor', 'VOC'],
  [{ co2: 2000, voc: null }, '2000 PPM', 'poor', null],
  [{ co2: null, voc: 400 }, '400 PPB', 'moderate', null],
  [{ co2: null, voc: 0 }, '0 PPB', 'good', null],
])('a sensor with %j shows %s and is %s by %s', (values, value, level, cause) => {
  expect(standing('Bedroom', values)).toMatchObject({ value, level, cause, freshness: 'live' });
});

test('one reading describes the air for a quarter of an hour', () => {
  expect(standing('Bedroom', {}, 15 * MINUTE)).toMatchObject({ freshness: 'live', age: '15 min ago' });
  expect(standing('Bedroom', {}, 15 * MINUTE + 1)).toMatchObject({
    freshness: 'stale',
    age: '15 min ago',
  });
});

test('a reading from the future has no age', () => {
  expect(standing('Bedroom', {}, -2 * MINUTE)).toMatchObject({ freshness: 'ahead', age: 'time not known' });
});

test('what more is known of the shown sensor counts', () => {
  const [summary] = sensorWith([reading(1)]);
  if (!summary) throw new Error('no sensor');
  const now = Date.parse(summary.newest.created_at) + 90_000;
  expect(standingOf(summary, THRESHOLDS, now, 'stale')).toMatchObject({
    freshness: 'stale',
    age: '1 min ago',
  });
});

test('the worst comes first, then by name; those of which the air is not known come last', () => {
  const sensors = [
    standing('check', { co2: 164 }),
    standing('B good'),
    standing('quiet', { co2: 3000 }, 20 * MINUTE),
    standing('A good'),
    standing('poor', { co2: 2500 }),
    standing('ahead', { co2: 3000 }, -2 * MINUTE),
    standing('', { co2: 1500 }),
    standing('moderate', { voc: 500 }),
  ];
  const names = sensors.sort(compareStandings).map(({ name }) => name);
  expect(names).toEqual(['poor', '', 'moderate', 'A good', 'B good', 'ahead', 'check', 'quiet']);
});

test('sensors keep their order while the page is disconnected', () => {
  const sensors = [standing('A'), standing('Z', { co2: 2500 })].map((one) => ({
    ...one,
    freshness: 'disconnected' as const,
  }));
  expect(sensors.sort(compareStandings).map(({ name }) => name)).toEqual(['Z', 'A']);
});
