import { describe, expect, test } from 'vitest';
import { CO2, MAIN_METRICS } from '../../../app/readings/metric';
import { axisScale } from '../../../app/ui/chart/axis-scale';
import { describeChart } from '../../../app/ui/chart/chart-text';
import { historyModel, holdScale, nowIn } from '../../../app/ui/chart/history-model';
import { historyPoints } from '../../../app/ui/chart/history-points';
import { answerOf } from '../../support/history/history-answers';
import { reading, START, THRESHOLDS } from '../../support/readings/readings';

const MINUTE = 60_000;

/** One reading a minute with these values of CO2, and no VOC. */
const minutely = (...values: number[]) =>
  values.map((co2, i) =>
    reading(i + 1, { co2, voc: null, created_at: new Date(START + i * MINUTE).toISOString() }),
  );

/** The model of a history with these values, its first minutes in view. */
function modelOf(
  values: number[],
  minutes: number,
  { before, now = 0, from = 0 }: { before?: number[]; now?: number; from?: number } = {},
) {
  const span = { from: START, to: START + values.length * MINUTE };
  const pointsOf = (used: number[]) => historyPoints(answerOf(minutely(...used), span), { now: span.to });
  return historyModel({
    history: pointsOf(values),
    compared: before ? { ...pointsOf(before), name: 'day before, readings in 3 of 24 hours' } : null,
    view: { from: START + from * MINUTE, to: START + minutes * MINUTE },
    thresholds: THRESHOLDS,
    now,
    first: null,
    step: answerOf(minutely(...values), span).step_seconds || 30,
  });
}

const flat = Array<number>(20).fill(500);

describe('the scale', () => {
  const topOf = (model: ReturnType<typeof modelOf>) => model.scale.axisOf(CO2).max;

  test('fits the values in view and those of the earlier period', () => {
    expect(topOf(modelOf([...flat, 4000], 10))).toBe(1500);
    expect(topOf(modelOf([...flat, 4000], 21))).toBeGreaterThan(4000);
    expect(topOf(modelOf(flat, 10, { before: [4000, ...flat.slice(1)] }))).toBeGreaterThan(4000);
  });

  test('fits the points next to the view, since lines lead to them', () => {
    expect(topOf(modelOf([500, 4000, ...flat], 10, { from: 1.5 }))).toBeGreaterThan(4000);
    expect(topOf(modelOf([4000, 500, ...flat], 10, { from: 1.5 }))).toBe(1500);
    expect(topOf(modelOf([...flat.slice(0, 11), 4000, 500], 10.5))).toBeGreaterThan(4000);
  });

  test('stays while the view moves, until a value leaves it', () => {
    const scaleOf = (highest: number) =>
      axisScale(
        historyPoints(answerOf(minutely(highest), { from: START, to: START + MINUTE }), { now: START })
          .points,
        THRESHOLDS,
      );
    const [low, high] = [scaleOf(500), scaleOf(4000)];
    expect(holdScale(high, low)).toBe(high);
    expect(holdScale(low, high)).toBe(high);
    expect(holdScale(null, low)).toBe(low);
    const below = axisScale([{ co2: { average: -100, lowest: -100, highest: -100 } }], THRESHOLDS);
    expect(holdScale(low, below)).toBe(below);
  });
});

test('counts a metric as measured if a point has it, and all metrics if there is no point', () => {
  expect(modelOf(flat, 10).measured.map(({ field }) => field)).toEqual(['co2']);
  expect(modelOf([], 10).measured).toEqual(MAIN_METRICS);
});

test('excludes points outside the view, and metrics that only they have', () => {
  const model = modelOf([4000, 500, 600, 4000, ...flat], 3, { from: 1 });
  expect(model.inView.map(({ co2 }) => co2?.average)).toEqual([500, 600]);
  expect(describeChart(model, null)).toContain('2 points. CO2 between 500 and 600 PPM, newest point 600.');
  expect(modelOf(flat, 30, { from: 25 }).measured).toEqual(MAIN_METRICS);
});

test('has a newest point only while now is in view', () => {
  expect(modelOf(flat, 10, { now: START + MINUTE }).newest).toBe(19);
  expect(modelOf(flat, 10, { now: START + 11 * MINUTE }).newest).toBe(-1);
  expect(modelOf(flat, 10, { now: START - 1 }).newest).toBe(-1);
});

test('the present advances with each pixel of a short view, and with each minute of a long one', () => {
  const inView = (spanMs: number) => nowIn({ from: START, to: START + spanMs }, START + 61_400) - START;
  expect(inView(600_000)).toBe(62_000);
  expect(inView(6 * 3_600_000)).toBe(75_000);
  expect(inView(5 * 365 * 86_400_000)).toBe(120_000);
  // The present is limited to the end of the view.
  expect(nowIn({ from: START - 3e10, to: START + 61_500 }, START + 61_400) - START).toBe(61_500);
});

test('describes the comparison, and the share of the earlier period with readings', () => {
  const before = modelOf(flat, 20, { before: flat });
  expect(describeChart(before, null)).toContain('Compared with the day before, readings in 3 of 24 hours.');
  expect(describeChart(modelOf(flat, 20), null)).not.toContain('Compared');
});

test('ends a gap at the edge of the view', () => {
  const step = 300;
  const view = { from: START, to: START + 60 * MINUTE };
  const answered = { from: view.from - step * 1000, to: view.to + step * 1000 };
  const history = historyPoints({ step_seconds: step, steps: [] }, { now: answered.to, answered });
  const { gaps } = historyModel({
    history,
    compared: null,
    view,
    thresholds: THRESHOLDS,
    now: 0,
    first: null,
    step,
  });
  expect(gaps.map(({ start, end }) => [start, end])).toEqual([[view.from, view.to]]);
  expect(gaps[0]?.gap).toMatchObject({ from: new Date(view.from).toISOString(), withinMs: step * 1000 });
});
