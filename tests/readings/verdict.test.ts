import { expect, test } from 'vitest';
import { verdictOf } from '../../app/readings/verdict';

test.each([
  ['good', 'Good air'],
  ['moderate', 'Open a window soon'],
  ['poor', 'Open a window now'],
] as const)('%s air is called "%s", with advice', (level, text) => {
  const verdict = verdictOf(level, 'live');
  expect(verdict).toMatchObject({ level, text });
  expect(verdict.advice).not.toBe('');
});

test.each(['none', 'ahead', 'stale', 'disconnected'] as const)(
  'if the newest reading is %s, the air is not known, whatever the last level was',
  (freshness) => {
    for (const level of ['good', 'moderate', 'poor', null] as const) {
      const verdict = verdictOf(level, freshness);
      expect(verdict.level).toBeNull();
      expect(verdict.text).toMatch(/not known|No readings yet/);
      expect(verdict.advice).not.toBe('');
    }
  },
);

test('without a level the verdict has none', () => {
  expect(verdictOf(null, 'live').level).toBeNull();
});
