import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  cellOf,
  linkOf,
  openedSearch,
  pattern,
  shownLine,
  showWhenWorst,
  TWO_DAYS,
} from '../../../support/history/when-worst';

const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
const stops = () => screen.getAllByRole('link').filter(({ tabIndex }) => tabIndex === 0);

/** jsdom has no pointer events. */
function point(type: string, target: Element, pointerType: string): void {
  fireEvent(target, Object.assign(new MouseEvent(type, { bubbles: true }), { pointerType }));
}

test('the caption shows the worst, the hovered or the focused time', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  const worst = 'Worst: Fri 20 Nov, 19:00–20:00: average 2400 PPM, poor';
  expect(shownLine()).toBe(worst);
  point('pointerover', linkOf(/640/), 'mouse');
  expect(shownLine()).toBe('Sat 21 Nov, 0:00–1:00: average 640 PPM, good');
  point('pointerover', cellOf(0, 3) as Element, 'mouse');
  expect(shownLine()).toBe(worst);
  act(() => linkOf(/1213/).focus());
  expect(shownLine()).toMatch(/^Fri 20 Nov, 18:00/);
  act(() => linkOf(/1213/).blur());
  expect(shownLine()).toBe(worst);
});

test('the caption follows a changed value', async () => {
  const update = await showWhenWorst({ pattern: TWO_DAYS });
  act(() => linkOf(/640/).focus());
  await update({ pattern: pattern({ '2026-11-21T00:00': 655 }) });
  expect(shownLine()).toBe('Sat 21 Nov, 0:00–1:00: average 655 PPM, good');
});

test('the table is one tab stop, and arrow keys move between its links', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  expect(stops().map(({ textContent }) => textContent)).toEqual(['Fri 20 Nov']);
  act(() => stops()[0]?.focus());
  const walk = (...keys: string[]) =>
    keys.map((key) => {
      act(() => void press(key));
      return focused();
    });
  expect(walk('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft')).toEqual([
    'Fri 20 Nov, 18:00–19:00: average 1213 PPM, moderate',
    'Fri 20 Nov, 19:00–20:00: average 2400 PPM, poor',
    'Fri 20 Nov, 19:00–20:00: average 2400 PPM, poor',
    'Fri 20 Nov, 18:00–19:00: average 1213 PPM, moderate',
  ]);
  expect(walk('ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Home', 'ArrowUp')).toEqual([
    'Sat 21 Nov, 18:00–19:00: average 900 PPM, good',
    'Sat 21 Nov, 18:00–19:00: average 900 PPM, good',
    'Sat 21 Nov, 23:00–0:00: average 999.6 PPM, good',
    'Sat 21 Nov, 23:00–0:00: average 999.6 PPM, good',
    'Sat 21 Nov',
    'Fri 20 Nov',
  ]);
  expect(stops().map(({ textContent }) => textContent)).toEqual(['Fri 20 Nov']);
});

test('the table handles its arrow keys only, not other keys and chords', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  act(() => linkOf(/640/).focus());
  const heard: string[] = [];
  const listener = ({ key, defaultPrevented }: KeyboardEvent) => heard.push(`${key} ${defaultPrevented}`);
  window.addEventListener('keydown', listener);
  for (const key of ['ArrowRight', 'ArrowUp', 'PageDown', 'Enter']) act(() => void press(key));
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowLeft', altKey: true });
  window.removeEventListener('keydown', listener);
  expect(heard).toEqual(['PageDown false', 'Enter false', 'ArrowLeft false']);
});

test('the tab stop survives a refresh, and moves with another span', async () => {
  const update = await showWhenWorst({ pattern: TWO_DAYS });
  act(() => linkOf(/900/).focus());
  await update({ pattern: { ...TWO_DAYS } });
  expect(stops()).toEqual([linkOf(/900/)]);
  await update({ pattern: TWO_DAYS, from: '2026-11-10T00:00', to: '2026-11-12T00:00' });
  expect(stops().map(({ textContent }) => textContent)).toEqual(['Tue 10 Nov']);
});

test('a click opens an hour without loading the page', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  const { href } = linkOf(/2400/);
  await act(async () => void fireEvent.click(linkOf(/2400/)));
  await screen.findByText('opened');
  expect(openedSearch).toBe(new URL(href).search);
});

test('a click with a modifier key is left to the browser', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  // Returns false if the default was prevented. jsdom can't open another tab.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  await act(async () => void fireEvent.click(linkOf(/2400/), { ctrlKey: true }));
  expect(screen.queryByText('opened')).toBeNull();
});

test('the first tap shows the value, the second opens the hour', async () => {
  await showWhenWorst({ pattern: TWO_DAYS });
  const tap = (name: RegExp) =>
    act(async () => {
      point('pointerdown', linkOf(name), 'touch');
      linkOf(name).focus();
      fireEvent.click(linkOf(name));
    });
  const hint = screen.getByText('Choose an hour to see it.');
  expect(hint.className).not.toContain('invisible');
  await tap(/2400/);
  await tap(/640/);
  expect(shownLine()).toBe('Sat 21 Nov, 0:00–1:00: average 640 PPM, good. Tap again to see this hour.');
  expect(hint.className).toContain('invisible');
  await tap(/640/);
  await screen.findByText('opened');
});

test('the up and down arrows skip days without readings at that hour', async () => {
  const hours = { '2026-11-19T18:00': 700, '2026-11-20T03:00': 800, '2026-11-21T18:00': 900 };
  await showWhenWorst({ pattern: pattern(hours), from: '2026-11-19T00:00' });
  act(() => linkOf(/700/).focus());
  act(() => void press('ArrowDown'));
  expect(focused()).toMatch(/^Sat 21 Nov, 18:00/);
  act(() => void press('ArrowUp'));
  expect(focused()).toMatch(/^Thu 19 Nov, 18:00/);
});
