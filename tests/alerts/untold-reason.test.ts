import { expect, test } from 'vitest';
import { untoldReason } from '../../app/alerts/untold-reason';
import type { AirState } from '../../app/readings/air/air-state';
import { airAt } from '../../app/readings/air/judge-reading';
import type { Level } from '../../app/readings/level/level';
import { minute } from '../support/alerts/air-readings';
import { START } from '../support/readings/readings';

const RULES = { on: ['poor', 'silent'] as AirState[], quiet: null, timeZone: 'UTC' };
/** `START` is at 10:00. */
const QUIET = { ...RULES, quiet: { from: '09:00', to: '10:30' } };

const change = (from: AirState, to: AirState) => ({ at: minute(0), from, to });
const watched = (level: Level, told: AirState) => ({
  sensor: '',
  air: { ...airAt(minute(0)), level },
  told,
  toldAt: null,
});
const reason = (
  transition: ReturnType<typeof change>,
  known: ReturnType<typeof watched> | null,
  rules: Parameters<typeof untoldReason>[2] = RULES,
) => untoldReason(transition, known, rules, START);

test('says why nothing was sent about a transition', () => {
  expect(reason(change('good', 'moderate'), watched('moderate', 'moderate'))).toBe('not-chosen');
  expect(reason(change('poor', 'silent'), null, { ...RULES, on: ['poor'] })).toBe('not-chosen');
  expect(reason(change('good', 'poor'), null)).toBe('over');
  expect(reason(change('good', 'poor'), watched('good', 'good'))).toBe('over');
  expect(reason(change('good', 'poor'), null, QUIET)).toBe('over-in-quiet');
  expect(reason(change('good', 'poor'), watched('poor', 'good'), QUIET)).toBe('quiet');
  expect(reason(change('good', 'poor'), watched('poor', 'good'))).toBe('not-yet');
  expect(reason(change('good', 'poor'), watched('poor', 'poor'))).toBe('before');
});
