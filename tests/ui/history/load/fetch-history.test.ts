import { expect, test } from 'vitest';
import type { HistoryAnswer } from '../../../../app/readings/history/history-answer';
import {
  hasAll,
  historyAddress,
  stepOf,
  stepsOf,
  withTail,
} from '../../../../app/ui/history/load/fetch-history';
import { keepTimeZone, setTimeZone } from '../../../support/time-zone';

const HOUR_MS = 3_600_000;

keepTimeZone();

test('stepsOf has the whole steps that a span touches, and one more on both sides', () => {
  const span = { from: 10 * HOUR_MS + 1, to: 34 * HOUR_MS - 1 };
  expect(stepOf(span, 700)).toBe(300);
  expect(stepsOf(span, 300)).toEqual({ step: 300, from: 10 * 3600 - 300, to: 34 * 3600 + 300 });
});

test('a margin is a share of the span', () => {
  expect(stepsOf({ from: 100_000, to: 200_000 }, 10, 0.5)).toEqual({ step: 10, from: 30, to: 270 });
});

test('a margin leaves an answer no more steps than it can have', () => {
  const { from, to } = stepsOf({ from: 0, to: 1_900_000 }, 1, 0.5);
  expect(to - from).toBe(2000);
});

test('a span longer than the longest steps allow has weeks', () => {
  expect(stepOf({ from: 0, to: 30 * 365 * 24 * HOUR_MS }, 700)).toBe(604_800);
});

test('the address names the sensor, the unnamed one too', () => {
  const part = { step: 300, from: 1_795_302_000, to: 1_795_302_900 };
  expect(historyAddress(part, 'Living room')).toBe(
    '/api/history?from=2026-11-21T23:00:00Z&to=2026-11-21T23:15:00Z&step=300&sensor=Living+room',
  );
  expect(historyAddress(part, '')).toMatch(/&sensor=$/);
});

test("steps of a day, and no others, are asked for by the viewer's midnights", () => {
  setTimeZone('Asia/Tokyo');
  const zoneOf = (step: number) =>
    new URLSearchParams(historyAddress({ step, from: 0, to: step }, '').split('?')[1]).get('zone');
  expect([3600, 43_200, 86_400, 604_800].map(zoneOf)).toEqual([null, null, 'Asia/Tokyo', null]);
});

test('a part has all of a view with the same step, sensor and comparison that lies in it with a step on both sides', () => {
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

test('a tail replaces the steps from its beginning on', () => {
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
  // A day of the viewer's may have begun before.
  expect(withTail(answerOf(10, 20, 30), answerOf(20, 40), 25)).toEqual(answerOf(10, 20, 40));
});
