import type { Chart } from 'chart.js';
import { expect, test } from 'vitest';
import { drawNotes, nameNotes } from '../../../app/ui/chart/draw/draw-notes';

/** The width of a letter in pixels. */
const LETTER = 6;

/** Draws notes on a chart between x = 50 and x = 450. Returns the x of each ring, and the texts with their x. */
function drawn(notes: { start: number; end?: number; text?: string }[]) {
  const rings: number[] = [];
  const texts: [string, number][] = [];
  const none = () => {};
  const ctx = {
    ...{ save: none, restore: none, strokeText: none, beginPath: none, rect: none, clip: none },
    ...{ moveTo: none, lineTo: none, stroke: none, fill: none, setLineDash: none },
    arc: (x: number) => rings.push(x),
    fillText: (text: string, x: number) => texts.push([text, x]),
    measureText: (text: string) => ({ width: LETTER * [...text].length }),
  };
  const placed = notes.map(({ start, end = start, text = 'window' }) => ({ start, end, note: { text } }));
  const chart = {
    ctx,
    options: {},
    chartArea: { left: 50, right: 450, top: 0, bottom: 300, width: 400, height: 300 },
    scales: { x: { min: 50, max: 450, getPixelForValue: (position: number) => position } },
    data: { datasets: [{ model: { notes: placed, marks: [] } }] },
  };
  drawNotes(chart as unknown as Chart);
  nameNotes(chart as unknown as Chart);
  return { rings, texts };
}

/** The distance of a text from the middle of its ring. */
const BESIDE = 9;

test('a moment is a ring with its text at the right, a span has two rings', () => {
  expect(drawn([{ start: 200 }])).toEqual({ rings: [200], texts: [['window', 200 + BESIDE]] });
  expect(drawn([{ start: 200, end: 260 }])).toEqual({ rings: [200, 260], texts: [['window', 260 + BESIDE]] });
});

test('a text is at the left if there is no room at the right', () => {
  expect(drawn([{ start: 440 }]).texts).toEqual([['window', 440 - BESIDE - 6 * LETTER]]);
});

test('texts of neighbouring notes are shortened or omitted, and never overlap', () => {
  const text = 'six people and a dog';
  const { rings, texts } = drawn([
    { start: 200, text },
    { start: 260, text },
    { start: 275, text },
    { start: 440, text },
  ]);
  expect(rings).toHaveLength(4);
  expect(texts.map(([text]) => text)).toContain('six people and a dog');
  const ends = texts.map(([text, x]) => [x, x + LETTER * [...text].length] as const);
  for (const [i, [start]] of ends.entries()) expect(start).toBeGreaterThan(ends[i - 1]?.[1] ?? 0);
  // No text lies on a ring.
  for (const [start, end] of ends) expect(rings.filter((ring) => ring > start && ring < end)).toEqual([]);
  expect(texts.length).toBeLessThan(4);
});

test('a span is cut at the edges of the view, and a note outside it is not drawn', () => {
  expect(drawn([{ start: 10, end: 120 }, { start: 20 }, { start: 500 }]).rings).toEqual([50, 120]);
});
