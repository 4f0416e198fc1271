import { expect, test } from 'vitest';
import { DASHBOARD_TITLE, tabTitle } from '../../app/ui/tab-title';
import { reading, THRESHOLDS as thresholds } from '../support/readings/readings';

const live = { freshness: 'live', ageMs: 1000, thresholds, sensor: null } as const;

test.each([
  [862, 100, 'good', '862 PPM, good – airboard'],
  [1000, 100, 'moderate', '1000 PPM, moderate – airboard'],
  [1500.255, 500, 'moderate', '1500.26 PPM, moderate – airboard'],
  [862, 500, 'moderate', '862 PPM, moderate (VOC 500 PPB) – airboard'],
  [1500, 900, 'poor', '1500 PPM, poor (VOC 900 PPB) – airboard'],
  // The verdict keeps a worse level for some time.
  [862, 100, 'moderate', '862 PPM, moderate – airboard'],
] as const)('CO2 %i, VOC %i and the verdict %s give "%s"', (co2, voc, level, title) => {
  expect(tabTitle({ ...live, last: reading(1, { co2, voc }), level })).toBe(title);
});

test.each([
  ['checking', 46_000, 'no reading for 46 s – airboard'],
  ['stale', 1_020_000, 'no reading for 17 min – airboard'],
  ['slow', 1_020_000, 'last reading 17 min ago – airboard'],
  ['disconnected', 1000, 'offline – airboard'],
  ['ahead', -1000, 'air not known – airboard'],
] as const)('shows neither value nor level of a reading that is %s', (freshness, ageMs, title) => {
  const last = reading(1, { co2: 862, voc: 100 });
  expect(tabTitle({ ...live, last, level: null, freshness, ageMs })).toBe(title);
});

test('asks to check the sensor for a current reading without a level', () => {
  expect(tabTitle({ ...live, last: reading(1, { co2: 12 }), level: null })).toBe(
    'check the sensor – airboard',
  );
});

test('is the title of the page if there are no readings', () => {
  const none = { ...live, last: null, level: null, ageMs: null };
  expect(tabTitle({ ...none, freshness: 'none' })).toBe(DASHBOARD_TITLE);
  expect(tabTitle({ ...none, freshness: 'disconnected' })).toBe('offline – airboard');
});

test.each([
  [null, 300, 'good', '300 PPB, good – airboard'],
  [null, 500, 'moderate', '500 PPB, moderate – airboard'],
  [862, null, 'good', '862 PPM, good – airboard'],
  // The verdict keeps a worse level for some time.
  [862, null, 'poor', '862 PPM, poor – airboard'],
] as const)('with CO2 %s and VOC %s, names the measured metric: "%s", "%s"', (co2, voc, level, title) => {
  expect(tabTitle({ ...live, last: reading(1, { co2, voc }), level })).toBe(title);
});

test('names the sensor before airboard', () => {
  const last = reading(1, { co2: 862, voc: 100 });
  const named = { ...live, sensor: 'Bedroom' };
  expect(tabTitle({ ...named, last, level: 'moderate' })).toBe('862 PPM, moderate – Bedroom – airboard');
  expect(tabTitle({ ...named, last, level: null, freshness: 'disconnected' })).toBe(
    'offline – Bedroom – airboard',
  );
  expect(tabTitle({ ...named, last: null, level: null, freshness: 'none' })).toBe('Bedroom – airboard');
});

test('any metric can be the cause, and a sensor without levels shows its first value', () => {
  const many = reading(1, { co2: 862, voc: 100, voc_index: 180 });
  expect(tabTitle({ ...live, last: many, level: 'moderate' })).toBe(
    '862 PPM, moderate (VOC index 180) – airboard',
  );
  const warm = reading(1, { co2: null, voc: null, temperature: 21.4, humidity: 44 });
  expect(tabTitle({ ...live, last: warm, level: null })).toBe('21.4 °C – airboard');
});
