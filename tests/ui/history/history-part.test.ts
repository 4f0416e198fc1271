import { expect, test } from 'vitest';
import type { HistoryAnswer } from '../../../app/readings/history/history-answer';
import { hasAll, historyAddress, stepOf, stepsOf, withTail } from '../../../app/ui/history/load-history';
import { keepTimeZone, setTimeZone } from '../../support/time-zone';

const HOUR_MS = 3_600_000;

keepTimeZone();

test('stepsOf returns the whole steps of a span, plus one on each side', () => {
  const span = { from: 10 * HOUR_MS + 1, to: 34 * HOUR_MS - 1 };
  expect(stepOf(span, 700)).toBe(300);
  expect(stepsOf(span, 300)).toEqual({ step: 300, from: 10 * 3600 - 300, to: 34 * 3600 + 300 });
});

test('a margin is a fraction of the span', () => {
  expect(stepsOf({ from: 100_000, to: 200_000 }, 10, 0.5)).toEqual({ step: 10, from: 30, to: 270 });
});

test('a margin respects the maximum number of steps', () => {
  const { from, to } = stepsOf({ from: 0, to: 1_900_000 }, 1, 0.5);
  expect(to - from).toBe(2000);
});

test('a span beyond the longest steps uses weeks', () => {
  expect(stepOf({ from: 0, to: 30 * 365 * 24 * HOUR_MS }, 700)).toBe(604_800);
});

test('the address names the sensor, even the unnamed one', () => {
  const part = { step: 300, from: 1_795_302_000, to: 1_795_302_900 };
  expect(historyAddress(part, 'Living room')).toBe(
    '/api/history?from=2026-11-21T23:00:00Z&to=2026-11-21T23:15:00Z&step=300&sensor=Living+room',
  );
  expect(historyAddress(part, '')).toMatch(/&sensor=$/);
});

test('only steps of one day are requested in the zone of the viewer', () => {
  setTimeZone('Asia/Tokyo');
  const zoneOf = (step: number) =>
    new URLSearchParams(historyAddress({ step, from: 0, to: step }, '').split('?')[1]).get('zone');
  expect([3600, 43_200, 86_400, 604_800].map(zoneOf)).toEqual([null, null, 'Asia/Tokyo', null]);
});

test('an answer covers a view of the same step, sensor and comparison if a step is left on both sides', () => {
  const wanted = {
    sensor: 'Bedroom',
    span: { from: 110_000, to: 190_000 },
    before: null,
    points: 8,
    isMoving: false,
  };
  const part = { sensor: 'Bedroom', before: null, step: 10, from: 100, to: 200 };
  expect(hasAll(part, wanted)).toBe(true);
  expect(hasAll({ ...part, from: 110 }, wanted)).toBe(false);
  expect(hasAll({ ...part, to: 190 }, wanted)).toBe(false);
  expect(hasAll({ ...part, sensor: '' }, wanted)).toBe(false);
  expect(hasAll({ ...part, before: 'day' }, wanted)).toBe(false);
  expect(hasAll(part, { ...wanted, points: 80 })).toBe(false);
  expect(hasAll(undefined, wanted)).toBe(false);
});

test('a tail replaces the steps from its start', () => {
  const answerOf = (...starts: number[]): HistoryAnswer => ({
    step_seconds: 10,
    steps: starts.map((start) => ({
      start: new Date(start * 1000).toISOString(),
      readings: 1,
      co2: null,
      voc: null,
    })),
  });
  expect(withTail(answerOf(10, 20, 30), answerOf(20, 40), 20)).toEqual(answerOf(10, 20, 40));
  // A day of the viewer may have started earlier.
  expect(withTail(answerOf(10, 20, 30), answerOf(20, 40), 25)).toEqual(answerOf(10, 20, 40));
});

test('a view that moves with the present loads more than the view, in the steps of the view', () => {
  const wanted = {
    sensor: '',
    before: null,
    points: 8,
    isMoving: false,
    span: { from: 110_000, to: 190_000 },
  };
  const ahead = { ...wanted, reach: { from: 100_000, to: 300_000 } };
  const part = { sensor: '', before: null, step: 10, from: 90, to: 310 };
  expect(hasAll(part, ahead)).toBe(true);
  expect(hasAll(part, { ...ahead, span: { from: 170_000, to: 250_000 } })).toBe(true);
  expect(hasAll({ ...part, to: 300 }, ahead)).toBe(false);
});
