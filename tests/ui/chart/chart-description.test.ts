import { expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { DEFAULT_RANGE, findRange } from '../../../app/readings/chart/range';
import { describeChart, describeZones } from '../../../app/ui/chart/chart-description';
import { chartModel } from '../../../app/ui/chart/chart-model';
import { readings, readingsWithPauses, START } from '../../support/readings/readings';
import { THRESHOLDS } from '../../support/readings/thresholds';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = new Date(START + 20 * DAY);

const modelOf = (used: ReturnType<typeof readings>, thresholds = THRESHOLDS) =>
  chartModel(chartSeries(used, findRange('24HR') ?? DEFAULT_RANGE), thresholds);

test('counts all gaps, and gives the longest with its days', () => {
  const stretch = Array<number>(30).fill(MINUTE);
  const pauses = [...stretch, DAY, ...stretch, 7.75 * DAY, ...stretch, DAY / 4, ...stretch];
  const model = modelOf(readingsWithPauses(...pauses));
  expect(model.gaps).toHaveLength(3);
  expect(describeChart(model, NOW)).toMatch(
    /Readings are missing in 3 places\. The longest is 7 d 18 h without readings, 3 Jan [\d:]+ to 11 Jan [\d:]+\./,
  );
  expect(describeChart(model, NOW)).toMatch(/^Line chart from 2 Jan [\d:]+ to 11 Jan [\d:]+: \d+ points\./);
});

test('has no times until the time zone is known', () => {
  const stretch = Array<number>(30).fill(MINUTE);
  const text = describeChart(modelOf(readingsWithPauses(...stretch, DAY, ...stretch)), null);
  expect(text).toMatch(/^Line chart: 2 points\./);
  expect(text).toContain('Readings are missing in one place.');
  expect(text).not.toMatch(/\d:\d/);
});

test('says where the zones are', () => {
  expect(describeChart(modelOf(readings(3)), NOW)).toContain(
    'Zones: good below 1000 PPM CO2 and 400 PPB VOC, poor from 2000 PPM CO2 and 800 PPB VOC.',
  );
});

test('says limits with all of their decimals', () => {
  const thresholds = { co2: { good: 1000, moderate: 2000 }, voc: { good: 0.125, moderate: 0.375 } };
  const text = describeZones(modelOf(readings(3), thresholds));
  expect(text).toBe('Zones: good below 0.125 PPB VOC, poor from 0.375 PPB VOC. CO2 is poor from 2000 PPM.');
});

test('says whose zones they are where they are not true for both metrics', () => {
  const thresholds = { co2: { good: 1000, moderate: 1500 }, voc: { good: 400, moderate: 800 } };
  const used = readings(3, () => ({ co2: 1200, voc: 100 }));
  expect(describeZones(modelOf(used, thresholds))).toBe(
    'Zones: good below 1000 PPM CO2, poor from 1500 PPM CO2. VOC is poor from 800 PPB.',
  );
});

test("says which metric isn't measured, and leaves its limits out", () => {
  const text = describeChart(modelOf(readings(3, () => ({ voc: null }))), NOW);
  expect(text).toContain('CO2 between 401 and 403 PPM, newest point 403. VOC not measured.');
  expect(text).toContain('Zones: good below 1000 PPM CO2, poor from 2000 PPM CO2.');
  const both = readings(3, (i) => (i === 2 ? { voc: null } : {}));
  expect(describeChart(modelOf(both), NOW)).toContain(
    'VOC between 101 and 102 PPB, newest point without it.',
  );
});
