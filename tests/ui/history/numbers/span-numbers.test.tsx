import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SummaryAnswer } from '../../../../app/readings/history/history-answer';
import type { Reading } from '../../../../app/readings/reading';
import { SpanNumbers } from '../../../../app/ui/history/numbers/span-numbers';
import { metricSummary } from '../../../support/history/history-answers';
import { readings, THRESHOLDS } from '../../../support/readings/readings';

const at = (time: string) => new Date(time).getTime();
const DAY = { from: at('2026-11-21T00:00'), to: at('2026-11-22T00:00') };
const WEEK = { from: at('2026-11-16T00:00'), to: at('2026-11-23T00:00') };
const HOUR = 3600;

const CO2 = metricSummary({
  good_seconds: 12 * HOUR,
  moderate_seconds: 5 * HOUR,
  poor_seconds: HOUR,
  longest_not_good: { from: new Date('2026-11-21T19:40').toISOString(), seconds: 2 * HOUR + 300 },
  longest_poor: { from: new Date('2026-11-21T20:10').toISOString(), seconds: 1800 },
});

function show(
  summary: SummaryAnswer | null,
  view = DAY,
  now = at('2026-11-23T12:00'),
  first = 0,
  newest: Reading[] = [],
) {
  render(<SpanNumbers {...{ summary, view, now, first, newest }} thresholds={THRESHOLDS} />);
}

const card = (name: RegExp) => screen.getByRole('region', { name });
const words = (name: RegExp) =>
  within(card(name))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const figures = (name: RegExp) =>
  within(card(name))
    .getAllByRole('definition')
    .map(({ textContent, previousElementSibling }) => [textContent, previousElementSibling?.textContent]);
/** Returns the start and width of each part of the bar. */
const bar = (name: RegExp) =>
  [...card(name).querySelectorAll<SVGRectElement>('[data-part]')].map(({ dataset, x, attributes }) => [
    dataset.part,
    attributes.getNamedItem('x')?.value ?? x,
    attributes.getNamedItem('width')?.value,
  ]);

test('a card shows the lowest, average and highest value and their times', () => {
  show({ readings: 5760, co2: CO2, voc: null });
  expect(figures(/CO2 PPM/)).toEqual([
    ['412', 'lowest, 4:12'],
    ['861', 'average'],
    ['1771', 'highest, 20:31'],
  ]);
});

test('a card shows no threshold as the value that its words call above it', () => {
  const pm25 = metricSummary({ lowest: 14.96, average: 15.04, highest: 15.04, moderate_seconds: 600 });
  show({ readings: 5, co2: null, voc: null, pm25 });
  expect(figures(/PM2.5/).map(([value]) => value)).toEqual(['14.9', '15.04', '15.04']);
  expect(words(/PM2.5/)).toContain('above 15 µg/m³ for 10 min');
});

test.each([
  ['while its summary loads', null],
  ['in a span without readings', { readings: 0, co2: null, voc: null }],
])('a sensor without VOC has no card for it %s', (_, summary) => {
  const newest = readings(1, () => ({ co2: 500, voc: null, temperature: 21 }));
  show(summary, DAY, at('2026-11-23T12:00'), 0, newest);
  const headings = screen.getAllByRole('region').map((card) => within(card).getByRole('heading'));
  // Chromium doesn't read a space in a text of its own.
  const texts = headings.map(({ childNodes }) => [...childNodes].map((node) => node.textContent));
  expect(texts).toEqual([
    ['CO2 ', 'PPM'],
    ['Temperature ', '°C'],
  ]);
});

test('times include the day in a span longer than a day', () => {
  show({ readings: 5760, co2: CO2, voc: null }, WEEK);
  expect(figures(/CO2/).map(([, name]) => name)).toEqual([
    'lowest, 21 Nov 4:12',
    'average',
    'highest, 21 Nov 20:31',
  ]);
  expect(words(/CO2/)).toContain('above 2000 PPM for 1 h, longest 30 min from 21 Nov 20:10');
});

test('the bar and the text show the time at each level and without readings', () => {
  show({ readings: 5760, co2: CO2, voc: null });
  expect(bar(/CO2/)).toEqual([
    ['good', '0.00%', '50.00%'],
    ['moderate', '50.00%', '20.83%'],
    ['poor', '70.83%', '4.17%'],
    ['without', '75.00%', '25.00%'],
  ]);
  expect(words(/CO2/)).toEqual([
    '12 h good',
    '5 h moderate',
    '1 h poor',
    '6 h without readings',
    'above 1000 PPM for 6 h, longest 2 h 5 min from 19:40',
    'above 2000 PPM for 1 h, longest 30 min from 20:10',
  ]);
});

test('the future is not counted as time without readings', () => {
  show({ readings: 10, co2: CO2, voc: null }, DAY, at('2026-11-21T18:00'));
  expect(bar(/CO2/).at(-1)).toEqual(['poor', '94.44%', '5.56%']);
  expect(words(/CO2/)).toContain('6 h to come');
});

test('the time before the first reading is not counted as time without readings', () => {
  show({ readings: 10, co2: CO2, voc: null }, DAY, DAY.to, at('2026-11-21T05:00'));
  expect(bar(/CO2/).at(-1)?.[0]).toBe('without');
  expect(words(/CO2/).slice(3, 5)).toEqual(['1 h without readings', '5 h before the first reading']);
});

test('a span outside the readings says why it is empty', () => {
  show({ readings: 0, co2: null, voc: null }, DAY, DAY.from - 1);
  expect(screen.getAllByText('to come')).toHaveLength(2);
  show({ readings: 0, co2: null, voc: null }, DAY, DAY.to, DAY.to);
  expect(screen.getAllByText('before the first reading')).toHaveLength(2);
});

test('a metric with only faulty values says so', () => {
  const newest = readings(1, () => ({ co2: 65_519, voc: null, pm25: -1 }));
  show({ readings: 10, co2: null, voc: null }, DAY, DAY.to, 0, newest);
  within(card(/CO2 PPM/)).getByText('The sensor reports a fault');
  within(card(/PM2.5/)).getByText('The sensor reports a fault');
  expect(screen.queryByRole('region', { name: /VOC/ })).toBeNull();
});

test('a metric without values says so', () => {
  show({ readings: 10, co2: CO2, voc: null });
  within(card(/VOC PPB/)).getByText('not measured');
  expect(within(card(/VOC/)).queryByRole('definition')).toBeNull();
});

test('a span without readings says so', () => {
  show({ readings: 0, co2: null, voc: null });
  expect(screen.getAllByText('no readings')).toHaveLength(2);
});

test('a short span between two readings shows its time at each level', () => {
  const values = { lowest: null, average: null, highest: null, lowest_at: null, highest_at: null };
  const view = { from: at('2026-11-21T19:40'), to: at('2026-11-21T19:50') };
  const time = metricSummary({
    good_seconds: 0,
    moderate_seconds: 600,
    longest_not_good: { from: new Date(view.from).toISOString(), seconds: 600 },
  });
  show({ readings: 0, co2: { ...time, ...values }, voc: null }, view);
  within(card(/CO2/)).getByText('no readings');
  expect(within(card(/CO2/)).queryByRole('definition')).toBeNull();
  expect(bar(/CO2/)).toEqual([['moderate', '0.00%', '100.00%']]);
  expect(words(/CO2/)).toEqual([
    '10 min moderate',
    'above 1000 PPM for 10 min, from 19:40',
    'above 2000 PPM never',
  ]);
});

test('placeholders keep the layout while the numbers load', () => {
  show(null);
  expect(card(/CO2/).getAttribute('aria-busy')).toBe('true');
  expect(figures(/VOC/)).toEqual([
    ['–', 'lowest'],
    ['–', 'average'],
    ['–', 'highest'],
  ]);
  expect(screen.queryByText(/no readings|not measured/)).toBeNull();
});

test('a metric without levels shows its extremes, its average and the time outside its band', () => {
  const values = { ...metricSummary(), lowest: 28.04, average: 44.25, highest: 61 };
  const { lowest, average, highest, lowest_at, highest_at } = values;
  const measured = { lowest, average, highest, lowest_at, highest_at, measured_seconds: 18 * HOUR };
  show({
    readings: 10,
    co2: CO2,
    voc: null,
    humidity: { ...measured, outside_seconds: 2 * HOUR },
    pressure: measured,
  });
  expect(screen.getAllByRole('region').map(({ textContent }) => textContent?.split(' ')[0])).toEqual([
    'CO2',
    'Humidity',
    'Pressure',
  ]);
  expect(figures(/Humidity %/)).toEqual([
    ['28', 'lowest, 4:12'],
    ['44.3', 'average'],
    ['61', 'highest, 20:31'],
  ]);
  expect(card(/Humidity/).textContent).toContain('outside 30 to 60 % for 2 h');
  expect(card(/Pressure/).textContent).not.toMatch(/outside|good|poor/);
  expect(bar(/Pressure/)).toEqual([]);
});
