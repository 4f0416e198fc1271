import { describe, expect, test } from 'vitest';
import { CO2, type Threshold, VOC } from '../../../../app/readings/metric';
import {
  barShares,
  formatTimeIn,
  nameOutside,
  namePart,
  thresholdsExceeded,
  timeParts,
} from '../../../../app/ui/history/numbers/time-in-level';
import { metricSummary } from '../../../support/history/history-answers';
import { THRESHOLDS } from '../../../support/readings/readings';

const at = (time: string) => new Date(time).getTime();
const DAY = { from: at('2026-11-21T00:00'), to: at('2026-11-22T00:00') };
const LATER = { now: at('2026-11-23T12:00'), first: 0 };
const [HOUR, MINUTE] = [3600, 60];

describe('the parts of a span', () => {
  const time = { good_seconds: 16 * HOUR, moderate_seconds: 6 * HOUR, poor_seconds: 45 * MINUTE };

  test('are its levels, plus the time without readings', () => {
    const parts = timeParts(metricSummary(time), DAY, LATER);
    expect(parts.map(namePart)).toEqual([
      '16 h good',
      '6 h moderate',
      '45 min poor',
      '1 h 15 min without readings',
    ]);
  });

  test('include only the time up to now', () => {
    const now = DAY.from + 23 * HOUR * 1000;
    expect(timeParts(metricSummary(time), DAY, { now, first: 0 }).at(-1)).toEqual({
      kind: 'without',
      seconds: 15 * MINUTE,
    });
  });

  test('exclude the time before the first reading and after now, which are named separately', () => {
    const context = { now: DAY.from + 20 * HOUR * 1000, first: DAY.from + 3 * HOUR * 1000 };
    const parts = timeParts(metricSummary({ good_seconds: 16 * HOUR }), DAY, context);
    expect(parts.map(namePart)).toEqual(['16 h good', '1 h without readings']);
    expect(nameOutside(DAY, context)).toEqual(['3 h before the first reading', '4 h to come']);
    expect(nameOutside(DAY, LATER)).toEqual([]);
    expect(nameOutside(DAY, { now: DAY.to - 59_000, first: DAY.from + 60_000 })).toEqual([
      '1 min before the first reading',
    ]);
  });

  test('omit less than a minute without readings, and tolerate more measured time than there is', () => {
    const until = (seconds: number) =>
      timeParts(metricSummary(time), DAY, { now: DAY.from + seconds * 1000, first: 0 });
    const counted = 22.75 * HOUR;
    expect(until(counted + 60).map(({ kind }) => kind)).toContain('without');
    expect(until(counted + 59).map(({ kind }) => kind)).toEqual(['good', 'moderate', 'poor']);
    expect(until(counted - 300).map(({ kind }) => kind)).toEqual(['good', 'moderate', 'poor']);
  });

  test('are one part without readings if the metric has no values, and none before the span starts', () => {
    expect(timeParts(null, DAY, LATER)).toEqual([{ kind: 'without', seconds: 24 * HOUR }]);
    expect(timeParts(null, DAY, { now: DAY.from - 1000, first: 0 })).toEqual([]);
  });

  test('are named to the minute from ten minutes up', () => {
    const name = (seconds: number) => namePart({ kind: 'good', seconds });
    expect([59, 599, 600, 629, 90_061].map(name)).toEqual([
      '59 s good',
      '9 min 59 s good',
      '10 min good',
      '10 min good',
      '1 d 1 h good',
    ]);
  });
});

test('a tiny part of the bar is widened at the cost of the others', () => {
  const shares = (...seconds: number[]) => barShares(seconds.map((seconds) => ({ kind: 'good', seconds })));
  expect(shares(50, 30, 20)).toEqual([0.5, 0.3, 0.2]);
  const [good = 0, moderate = 0, poor = 0] = shares(86_100, 200, 100);
  expect([moderate, poor]).toEqual([0.015, 0.015]);
  expect(good).toBeCloseTo(0.97, 10);
  expect(shares(100)).toEqual([1]);
  expect(shares()).toEqual([]);
});

describe('time above the thresholds', () => {
  const words = (more: Parameters<typeof metricSummary>[0], metric = CO2) =>
    thresholdsExceeded(metricSummary(more), metric, THRESHOLDS[metric.field] as Threshold, (time) =>
      formatTimeIn(DAY, time, LATER.now),
    );
  const stretch = (time: string, seconds: number) => ({ from: new Date(time).toISOString(), seconds });

  test('is shown with its longest stretch', () => {
    const longest_not_good = stretch('2026-11-21T19:40', 2 * HOUR + 5 * MINUTE);
    expect(words({ moderate_seconds: 7 * HOUR + 10 * MINUTE, longest_not_good })).toEqual([
      'above 1000 PPM for 7 h 10 min, longest 2 h 5 min from 19:40',
      'above 2000 PPM never',
    ]);
  });

  test('counts poor time for both thresholds', () => {
    const more = {
      moderate_seconds: HOUR,
      poor_seconds: 30 * MINUTE,
      longest_not_good: stretch('2026-11-21T18:00', 50 * MINUTE),
      longest_poor: stretch('2026-11-21T18:20', 20 * MINUTE),
    };
    expect(words(more, VOC)).toEqual([
      'above 400 PPB for 1 h 30 min, longest 50 min from 18:00',
      'above 800 PPB for 30 min, longest 20 min from 18:20',
    ]);
  });

  test('shows the start of a single stretch', () => {
    const longest_not_good = stretch('2026-11-21T08:05', HOUR);
    expect(words({ moderate_seconds: HOUR, longest_not_good })[0]).toBe('above 1000 PPM for 1 h, from 8:05');
  });

  test('is "briefly" if only single values exceed a threshold', () => {
    expect(words({ highest: 2500, moderate_seconds: 300 })[1]).toBe('above 2000 PPM only briefly');
    expect(words({ highest: 1800 })).toEqual(['above 1000 PPM only briefly', 'above 2000 PPM never']);
    expect(words({ highest: 1000, moderate_seconds: HOUR })[0]).toBe('at 1000 PPM for 1 h');
  });

  test('shows all decimals of a threshold', () => {
    const threshold = { good: 0.125, moderate: 0.375 };
    expect(thresholdsExceeded(metricSummary({ highest: 0.1 }), VOC, threshold, String)).toEqual([
      'above 0.125 PPB never',
    ]);
  });

  test('is "never", and then the second threshold is omitted', () => {
    expect(words({ highest: 999 })).toEqual(['above 1000 PPM never']);
  });
});

describe('a time', () => {
  const time = new Date('2026-11-21T04:12:09').toISOString();
  const of = (from: string, to: string, now = LATER.now) =>
    formatTimeIn({ from: at(from), to: at(to) }, time, now);

  test('includes the day in a span longer than a day', () => {
    expect(of('2026-11-21T00:00', '2026-11-22T00:00')).toBe('4:12');
    // The clocks are set back on this day.
    expect(of('2026-11-21T00:00', '2026-11-22T01:00')).toBe('4:12');
    expect(of('2026-11-21T00:00', '2026-11-22T01:01')).toBe('21 Nov 4:12');
    expect(of('2026-11-16T00:00', '2026-11-23T00:00', at('2027-01-01T00:00'))).toBe('21 Nov 2026 4:12');
  });

  test('includes seconds in a span under ten minutes', () => {
    expect(of('2026-11-21T04:10', '2026-11-21T04:20')).toBe('4:12');
    expect(of('2026-11-21T04:11', '2026-11-21T04:20')).toBe('4:12:09');
  });
});
