import type { Chart } from 'chart.js';
import { expect, test } from 'vitest';
import { drawMarks } from '../../../app/ui/chart/draw/draw-ground';

/** The width of a letter in pixels. */
const LETTER = 6;

/** Draws marks on a chart between x = 50 and x = 450. Returns the x of each line and of the start of each name. */
function drawn(marks: { position: number; name: string }[]) {
  const lines: number[] = [];
  const names: Record<string, number> = {};
  const ctx = {
    save() {},
    restore() {},
    beginPath() {},
    stroke() {},
    moveTo() {},
    strokeText() {},
    lineTo: (x: number) => lines.push(x),
    fillText: (text: string, x: number) => {
      names[text] = x;
    },
    measureText: (text: string) => ({ width: LETTER * text.length }),
  };
  const chart = {
    ctx,
    options: {},
    chartArea: { left: 50, right: 450, top: 0, bottom: 300 },
    scales: { x: { getPixelForValue: (position: number) => position } },
    data: { datasets: [{ model: { marks } }] },
  };
  drawMarks(chart as unknown as Chart);
  return { lines, names };
}

test('draws the name of a day to the right of its midnight if there is room', () => {
  expect(
    drawn([
      { position: 60, name: 'Sat 21 Nov' },
      { position: 100, name: 'Sun 22 Nov' },
      { position: 200, name: 'Mon 23 Nov' },
      { position: 430, name: 'Tue 24 Nov' },
    ]),
  ).toEqual({ lines: [60, 100, 200, 430], names: { 'Sat 21 Nov': 65, 'Mon 23 Nov': 205 } });
});
