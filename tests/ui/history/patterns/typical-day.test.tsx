import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PatternAnswer } from '../../../../app/readings/history/history-answer';
import { CO2, VOC } from '../../../../app/readings/metric';
import { TypicalDay } from '../../../../app/ui/history/patterns/typical-day';
import { THRESHOLDS } from '../../../support/readings/readings';

const quartiles = (median: number) => ({
  lower: 0.9 * median,
  median,
  upper: 1.2 * median,
  days: 7,
  measured_seconds: 7 * 3600,
});

/** A pattern with these medians of CO2, keyed by hour. */
function pattern(medians: Record<number, number>): PatternAnswer {
  const typical_day = Object.entries(medians).map(([hour, median]) => ({
    hour: Number(hour),
    co2: quartiles(median),
    voc: null,
  }));
  return { cells: [], typical_day };
}

const EVENING = pattern({ 17: 800, 18: 1000, 19: 1500, 22: 700 });

function show(answer: PatternAnswer | null, metric = CO2, thresholds = THRESHOLDS) {
  return render(<TypicalDay pattern={answer} metric={metric} thresholds={thresholds} />).container;
}

const plot = () => screen.getByRole('img');
const paths = (container: Element) =>
  [...container.querySelectorAll('path')].map((path) => path.getAttribute('d'));

/** Moves the pointer to an hour of the plot. jsdom has neither pointer events nor a layout. */
function pointAt(hour: number, type = 'pointermove', pointerType = 'mouse'): void {
  plot().getBoundingClientRect = () => new DOMRect(100, 0, 240, 100);
  const event = new MouseEvent(type, {
    bubbles: true,
    clientX: 100 + 10 * hour + 5,
    relatedTarget: document.body,
  });
  fireEvent(plot(), Object.assign(event, { pointerType }));
}

test('draws the medians as a line, the middle 50 % as a band, and no line across missing hours', () => {
  const container = show(EVENING);
  // From 0 at the bottom to 2000 at the top, in percent from the top.
  expect(paths(container)).toEqual([
    'M17.5,52L18.5,40L19.5,10L19.5,32.5L18.5,55L17.5,64Z',
    'M17.5,60L18.5,50L19.5,25',
    'M22.25,58L22.75,58L22.75,68.5L22.25,68.5Z',
    'M22.25,65L22.75,65',
  ]);
});

test('draws sparse hours pale, connected to the others', () => {
  const typical_day = EVENING.typical_day.map((one) =>
    one.hour === 19 && one.co2 ? { ...one, co2: { ...one.co2, days: 1, measured_seconds: 300 } } : one,
  );
  const container = show({ ...EVENING, typical_day });
  const runs = [...container.querySelectorAll('[data-run]')].map((run) => [
    run.getAttribute('opacity') !== null,
    paths(run)[1],
  ]);
  expect(runs).toEqual([
    [false, 'M17.5,60L18.5,50'],
    [true, 'M18.5,50L19.5,25'],
    [false, 'M22.25,65L22.75,65'],
  ]);
  screen.getByText(/^Usually worst at 18:00–19:00/);
  screen.getByText(/Little was measured where it is pale\.$/);
  screen.getByText('1, only 5 min measured');
});

test('names no worst hour for readings on four days', () => {
  const typical_day = EVENING.typical_day.map((one) => ({ ...one, co2: one.co2 && { ...one.co2, days: 4 } }));
  show({ ...EVENING, typical_day });
  screen.getByText(/^Too few days to say when it is usually worst/);
});

test('labels the zones and the thresholds on the axis', () => {
  show(EVENING);
  const words = [...plot().querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(words.slice(0, 2)).toEqual(['good', 'moderate']);
  expect(words).toContain('1000');
  expect(words).toContain('2000');
  expect(words).toContain('18:00');
});

test('shows all decimals on the axis', () => {
  show(pattern({ 17: 0.1 }), CO2, { ...THRESHOLDS, co2: { good: 0.125, moderate: 0.375 } });
  const words = [...plot().querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(words).toContain('0.05');
  expect(words).toContain('0.15');
});

test('the caption shows the worst or the hovered hour', () => {
  show(EVENING);
  const worst = 'Usually worst at 19:00–20:00, median 1500 PPM, middle 50 % 1350 to 1800, 7 days';
  screen.getByText(worst);
  expect(plot().getAttribute('aria-label')).toBe(`Median CO2 of each hour. ${worst}`);
  pointAt(18);
  screen.getByText('18:00–19:00, median 1000 PPM, middle 50 % 900 to 1200, 7 days');
  pointAt(3);
  screen.getByText(worst);
  pointAt(22, 'pointerdown', 'touch');
  pointAt(22, 'pointerout', 'touch');
  screen.getByText(/^22:00–23:00, median/);
  pointAt(22, 'pointerout');
  screen.getByText(worst);
});

test('shows the same figures in a table', () => {
  show(EVENING);
  const table = screen.getByRole('table', { hidden: true, name: 'CO2 (PPM) of the typical day' });
  const rows = within(table)
    .getAllByRole('row', { hidden: true })
    .map((row) => [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent));
  expect(rows.slice(0, 3)).toEqual([
    ['Hour', 'Median', 'Level', 'Middle 50 %', 'Days'],
    ['17:00–18:00', '800', 'good', '720 to 960', '7'],
    ['18:00–19:00', '1000', 'moderate', '900 to 1200', '7'],
  ]);
  expect(rows).toHaveLength(5);
});

test('says so if the metric has no values', () => {
  const container = show(EVENING, VOC);
  screen.getByText('No readings in this span');
  expect(paths(container)).toEqual([]);
  expect(screen.queryByRole('table', { hidden: true })).toBeNull();
});

test('draws values beyond any axis', () => {
  const container = show(pattern({ 1: 1e308, 2: -1e308 }));
  expect(paths(container).join()).not.toMatch(/NaN|Infinity/);
});

test('shows no text while values load', () => {
  show(null);
  expect(screen.queryByText(/No readings|worst/)).toBeNull();
  expect(plot().getAttribute('aria-label')).toBe('Median CO2 of each hour');
});
