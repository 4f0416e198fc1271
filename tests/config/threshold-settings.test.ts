import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';

test('the default limits are those of the specification', () => {
  expect(parseEnv({}).thresholds).toEqual({
    co2: { good: 1000, moderate: 2000 },
    voc: { good: 400, moderate: 800 },
  });
});

test('takes limits from the settings', () => {
  const limits = { CO2_GOOD: '800', CO2_MODERATE: '1400.5', VOC_GOOD: '0.5', VOC_MODERATE: '1000' };
  expect(parseEnv(limits).thresholds).toEqual({
    co2: { good: 800, moderate: 1400.5 },
    voc: { good: 0.5, moderate: 1000 },
  });
});

test.each(['0', '-5', 'low', '1e3', ' 900', '1000000000000'])('rejects "%s" as a limit', (VOC_GOOD) => {
  expect(() => parseEnv({ VOC_GOOD })).toThrow(/VOC_GOOD: must be/);
});

test.each([
  [{ CO2_GOOD: '2000' }, 'CO2_MODERATE: must be above CO2_GOOD, which is 2000'],
  [{ CO2_MODERATE: '900' }, 'CO2_MODERATE: must be above CO2_GOOD, which is 1000'],
  [{ VOC_GOOD: '900' }, 'VOC_MODERATE: must be above VOC_GOOD, which is 900'],
])('rejects limits in the wrong order: %o', (limits, message) => {
  expect(() => parseEnv(limits)).toThrow(message);
});
