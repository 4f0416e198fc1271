import type { Chart } from 'chart.js';
import { expect, test } from 'vitest';
import { drawAirings, nameAirings } from '../../../app/ui/chart/draw/draw-airings';

/** The width of a letter in pixels. */
const LETTER = 6;

/** Draws airings on a chart between x = 50 and x = 450. Returns their bands, their feet, and the x of each label. */
function drawn(airings: { start: number; end: number }[]) {
  const rects: { left: number; width: number; height: number }[] = [];
  const labels: number[] = [];
  const ctx = {
    save() {},
    restore() {},
    strokeText() {},
    fillRect: (left: number, _top: number, width: number, height: number) =>
      rects.push({ left, width, height }),
    fillText: (_text: string, x: number) => labels.push(x),
    measureText: (text: string) => ({ width: LETTER * text.length }),
  };
  const chart = {
    ctx,
    options: {},
    chartArea: { left: 50, right: 450, top: 0, bottom: 300, height: 300 },
    scales: { x: { min: 50, max: 450, getPixelForValue: (position: number) => position } },
    data: { datasets: [{ model: { airings: airings.map((each) => ({ ...each, label: 'aired 8 min' })) } }] },
  };
  drawAirings(chart as unknown as Chart);
  nameAirings(chart as unknown as Chart);
  return {
    bands: rects.filter(({ height }) => height === 300).map(({ left, width }) => [left, width]),
    feet: rects.filter(({ height }) => height < 300).map(({ left, width }) => [left, width]),
    labels,
  };
}

/** The width of a label. */
const WIDTH = 'aired 8 min'.length * LETTER;

test('an airing is a band with a foot, with its label at the left', () => {
  expect(drawn([{ start: 200, end: 230 }])).toEqual({
    bands: [[200, 30]],
    feet: [[200, 30]],
    labels: [200 - 4 - WIDTH],
  });
});

test('a label is at the right if there is no room at the left, and omitted if there is no room at all', () => {
  expect(drawn([{ start: 60, end: 90 }]).labels).toEqual([94]);
  expect(
    drawn([
      { start: 60, end: 90 },
      { start: 100, end: 130 },
      { start: 140, end: 170 },
    ]).labels,
  ).toEqual([174]);
});

test('a short airing is 3 pixels wide, also at the end of the chart', () => {
  expect(drawn([{ start: 450, end: 450 }]).bands).toEqual([[447, 3]]);
  expect(drawn([{ start: 100, end: 100 }]).bands).toEqual([[100, 3]]);
});

test('an airing is cut at the edges of the view, and one outside it is not drawn', () => {
  expect(
    drawn([
      { start: 10, end: 80 },
      { start: 440, end: 500 },
      { start: 460, end: 500 },
    ]).bands,
  ).toEqual([
    [50, 30],
    [440, 10],
  ]);
});

test('many airings are only feet on the axis, because their bands would cover the chart', () => {
  const airings = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ start: 50 + (400 * i) / count, end: 50 + (400 * i) / count }));
  const few = drawn(airings(33));
  expect([few.bands.length, few.feet.length]).toEqual([33, 33]);
  const many = drawn(airings(200));
  expect([many.bands.length, many.feet.length]).toEqual([0, 200]);
  expect(many.feet.slice(0, 2)).toEqual([
    [50, 1],
    [52, 1],
  ]);
});
