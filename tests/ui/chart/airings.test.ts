import { expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { DEFAULT_RANGE } from '../../../app/readings/chart/range';
import { MAIN_METRICS } from '../../../app/readings/metric';
import type { AiringAnswer } from '../../../app/readings/room/ventilation-answer';
import { placeAirings, placeAmong } from '../../../app/ui/chart/airings';
import { chartModel } from '../../../app/ui/chart/chart-model';
import { describeChart } from '../../../app/ui/chart/chart-text';
import { reading, START, THRESHOLDS } from '../../support/readings/readings';

const MINUTE = 60_000;
const iso = (minute: number) => new Date(START + minute * MINUTE).toISOString();

/** Ten readings, one a minute. */
const POINTS = chartSeries(
  Array.from({ length: 10 }, (_, i) => reading(i + 1, { created_at: iso(i) })),
  DEFAULT_RANGE,
);

const airing = (from: number, to: number | null): AiringAnswer => ({
  from: iso(from),
  to: to === null ? null : iso(to),
  from_ppm: 1400,
  to_ppm: 700,
  air_changes_per_hour: 6,
  ...{ from_g_m3: null, to_g_m3: null },
});

const placed = (...airings: AiringAnswer[]) =>
  chartModel(POINTS, THRESHOLDS, MAIN_METRICS, airings).airings.map(({ start, end, label }) => [
    start,
    end,
    label,
  ]);

test('an airing lies between the points around its start and its end', () => {
  expect(placed(airing(2.5, 6.25))).toEqual([[2.5, 6.25, 'aired 4 min']]);
});

test('a current airing ends at the newest point and is labelled "so far"', () => {
  expect(placed(airing(4, null))).toEqual([[4, 9, 'aired 5 min so far']]);
});

test('an airing that began before the chart shows its whole length, and one that ended before it is omitted', () => {
  expect(placed(airing(-20, -12), airing(-70, 2))).toEqual([[-1, 2, 'aired 1 h 12 min']]);
});

test('a time after the newest point lies at that point', () => {
  expect(placeAmong(POINTS)(START + 100 * MINUTE)).toBe(9);
});

test('on a time axis, only airings in view are placed', () => {
  const view = { from: START, to: START + 10 * MINUTE };
  const found = placeAirings([airing(-9, -1), airing(3, 5), airing(11, 12)], (time) => time, view, 0);
  expect(found.map(({ start }) => start)).toEqual([START + 3 * MINUTE]);
});

test('the description of the chart counts airings and says when the last one was', () => {
  const describe = (airings: AiringAnswer[], now: Date | null = new Date(START + 10 * MINUTE)) =>
    describeChart(chartModel(POINTS, THRESHOLDS, MAIN_METRICS, airings), now).match(/Aired .*?\./)?.[0];
  expect(describe([])).toBeUndefined();
  expect(describe([airing(2, 6)])).toMatch(/^Aired once, at [\d:]+ for 4 min\.$/);
  expect(describe([airing(0, 1), airing(4, null)])).toMatch(
    /^Aired 2 times, last at [\d:]+ for 5 min so far\.$/,
  );
  expect(describe([airing(0, 1), airing(4, null)], null)).toBe('Aired 2 times.');
});
