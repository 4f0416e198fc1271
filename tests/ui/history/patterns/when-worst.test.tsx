import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { VOC } from '../../../../app/readings/metric';
import {
  cellOf,
  hrefOf,
  linkOf,
  pattern,
  shownLine,
  shownRows,
  showWhenWorst,
  TWO_DAYS,
} from '../../../support/history/when-worst';
import { keepTimeZone, setTimeZone } from '../../../support/time-zone';

keepTimeZone();

const at = (time: string) => new Date(time).getTime();
const cellLinks = () => [...document.querySelectorAll<HTMLAnchorElement>('td a')];
const labels = () => cellLinks().map((link) => link.getAttribute('aria-label'));

test('each hour with readings shows its average and level, and links to that hour', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  expect(labels()).toEqual([
    'Fri 20 Nov, 18:00–19:00: average 1213 PPM, moderate',
    'Fri 20 Nov, 19:00–20:00: average 2400 PPM, poor',
    'Sat 21 Nov, 0:00–1:00: average 640 PPM, good',
    'Sat 21 Nov, 18:00–19:00: average 900 PPM, good',
    'Sat 21 Nov, 23:00–0:00: average 999.6 PPM, good',
  ]);
  const from = new Date('2026-11-20T18:00').toISOString();
  const to = new Date('2026-11-20T19:00').toISOString();
  expect(linkOf(/18:00.*1213/).getAttribute('href')).toBe(`/history?from=${from}&to=${to}`);
});

test('hours are columns, days are rows, and each day is a link', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  expect(shownRows().map(({ cells }) => [cells.length, cells[0]?.textContent])).toEqual([
    [25, 'Fri 20 Nov'],
    [25, 'Sat 21 Nov'],
  ]);
  expect(screen.getAllByRole('columnheader')[18]?.textContent).toBe('18:00');
  expect(cellOf(0, 19)?.contains(linkOf(/2400/))).toBe(true);
  const day = hrefOf(at('2026-11-20T00:00'), at('2026-11-21T00:00'));
  expect(linkOf(/^Fri 20 Nov$/).getAttribute('href')).toBe(day);
});

test('empty hours say that there are no readings, and the first future hour says that it is to come', async () => {
  await showWhenWorst({ pattern: TWO_DAYS, now: '2026-11-21T23:20' });
  expect([cellOf(0, 3), cellOf(1, 22), cellOf(1, 23)].map((cell) => cell?.textContent)).toEqual([
    'no readings',
    'no readings',
    '',
  ]);
  expect(cellOf(1, 23)?.querySelector('a')).not.toBeNull();
  await showWhenWorst({ pattern: TWO_DAYS, now: '2026-11-21T21:59' });
  const cells = [...(document.querySelectorAll('table')[1]?.rows[2]?.cells ?? [])];
  expect(cells.slice(-3).map(({ textContent }) => textContent)).toEqual(['no readings', 'to come', '']);
});

test('hours before the first reading are not called hours without readings', async () => {
  await showWhenWorst({ pattern: TWO_DAYS, first: '2026-11-20T18:20' });
  expect([0, 1, 17].map((hour) => cellOf(0, hour).textContent)).toEqual(['before the first reading', '', '']);
  expect(cellOf(0, 18).contains(linkOf(/1213/))).toBe(true);
  expect(cellOf(0, 20).textContent).toBe('no readings');
});

test('text for empty hours is visible once, where there is room, and read out in each row', async () => {
  await showWhenWorst({ pattern: TWO_DAYS, now: '2026-11-20T22:00', to: '2026-11-23T00:00' });
  const words = screen.getAllByText('to come');
  expect(words.map((word) => word.classList.contains('sr-only'))).toEqual([true, false, true]);
});

test('each level has its own colours, deeper for worse values', async () => {
  const hours = [400, 700, 1100, 1900, 2100, 4000];
  await showWhenWorst({
    pattern: pattern(Object.fromEntries(hours.map((co2, i) => [`2026-11-20T0${i}:00`, co2]))),
  });
  expect(cellLinks().map(({ className }) => /bg-shade-([\w-]+)/.exec(className)?.[1])).toEqual([
    'good-2',
    'good-3',
    'moderate-1',
    'moderate-3',
    'poor-1',
    'poor-3',
  ]);
});

test('another metric shows its own values', async () => {
  const update = await showWhenWorst({ pattern: TWO_DAYS });
  await update({ pattern: TWO_DAYS, metric: VOC });
  screen.getByRole('region', { name: /When it is worst: VOC/ });
  expect(labels()[1]).toBe('Fri 20 Nov, 19:00–20:00: average 240 PPB, good');
});

test('a repeated hour has two links, and a skipped hour is empty', async () => {
  setTimeZone('Europe/Rome');
  const update = await showWhenWorst({
    pattern: pattern({ '2026-10-25T00:00Z': 800, '2026-10-25T01:00Z': 900 }),
    from: '2026-10-25T00:00',
    to: '2026-10-26T00:00',
  });
  expect(labels()).toEqual([
    'Sun 25 Oct, 2:00–3:00 (first time): average 800 PPM, good',
    'Sun 25 Oct, 2:00–3:00 (second time): average 900 PPM, good',
  ]);
  expect(cellOf(0, 2)?.querySelectorAll('a')).toHaveLength(2);
  await update({ pattern: pattern({}), from: '2026-03-29T00:00', to: '2026-03-30T00:00' });
  expect([1, 2, 3].map((hour) => cellOf(0, hour)?.textContent)).toEqual(['no readings', '', 'no readings']);
});

test('a calendar has days as columns and months as rows', async () => {
  await showWhenWorst({
    pattern: pattern({ '2025-12-31T00:00': 1500, '2026-02-28T00:00': 700 }),
    by: 'day',
    from: '2025-12-30T00:00',
    to: '2026-03-02T00:00',
  });
  expect(shownRows().map(({ cells }) => cells[0]?.textContent)).toEqual([
    'Dec 2025',
    'Jan 2026',
    'Feb 2026',
    'Mar 2026',
  ]);
  expect(labels()).toEqual([
    'Wed 31 Dec 2025: average 1500 PPM, moderate',
    'Sat 28 Feb 2026: average 700 PPM, good',
  ]);
  // 29 December is before the span, and 30 February doesn't exist.
  expect([cellOf(0, 28), cellOf(0, 29), cellOf(2, 29)].map((cell) => cell?.textContent)).toEqual([
    '',
    'no readings',
    '',
  ]);
});

test('placeholder rows keep the layout while values load', async () => {
  const update = await showWhenWorst({ pattern: null });
  expect(shownRows()).toHaveLength(2);
  expect(cellLinks()).toEqual([]);
  expect(shownLine()).toBe('');
  await update({ pattern: pattern({}) });
  expect(shownRows()).toHaveLength(2);
  expect(shownLine()).toBe('No readings in this span');
});

test('a sparse hour is pale, is labelled as sparse, and is never the worst', async () => {
  const readings = pattern({ '2026-11-20T18:00': 900, '2026-11-20T19:00': 910, '2026-11-21T04:00': 1900 });
  const night = readings.cells[2]?.co2;
  Object.assign(night ?? {}, { good_seconds: 0, moderate_seconds: 300 });
  await showWhenWorst({ pattern: readings });
  expect(cellLinks().map(({ className }) => /\bopacity-/.test(className))).toEqual([false, false, true]);
  linkOf(/^Sat 21 Nov, 4:00–5:00: average 1900 PPM, .*only 5 min measured$/);
  expect(shownLine()).toBe('Worst: Fri 20 Nov, 19:00–20:00: average 910 PPM, good');
  screen.getByText('pale: little measured');
});

test('three or more months in a row without readings share one row', async () => {
  await showWhenWorst({
    pattern: pattern({ '2018-07-06T00:00': 700, '2018-10-01T00:00': 800, '2026-11-21T00:00': 1500 }),
    by: 'day',
    from: '2018-07-06T00:00',
    to: '2026-11-22T00:00',
    now: '2026-11-21T12:00',
    first: '2018-07-06T00:00',
  });
  expect(shownRows().map(({ cells }) => cells[0]?.textContent)).toEqual([
    'Jul 2018',
    'Aug 2018',
    'Sep 2018',
    'Oct 2018',
    '96 months without readings',
    'Nov 2026',
  ]);
});

test('an hour before the span is shown, but never the worst', async () => {
  const update = await showWhenWorst({ pattern: TWO_DAYS });
  expect(shownLine()).toMatch(/^Worst: Fri 20 Nov.*, 19:00/);
  await update({ pattern: TWO_DAYS, worstFrom: '2026-11-20T19:30' });
  linkOf(/Fri 20 Nov.*, 19:00/);
  expect(shownLine()).toMatch(/^Worst: Sat 21 Nov.*, 23:00/);
});

test('a row of several months says if they are before the first reading or to come', async () => {
  await showWhenWorst({
    pattern: pattern({ '2026-06-06T00:00': 700 }),
    by: 'day',
    from: '2026-01-01T00:00',
    to: '2027-01-01T00:00',
    now: '2026-09-10T12:00',
    first: '2026-06-06T00:00',
  });
  expect(shownRows().map(({ cells }) => cells[0]?.textContent)).toEqual([
    '5 months before the first reading',
    'Jun 2026',
    '3 months without readings',
    '3 months to come',
  ]);
});
