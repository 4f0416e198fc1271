import { beforeEach, expect, test } from 'vitest';
import { rememberSensor } from '../../../app/live/browser/remember-sensor';

beforeEach(() => {
  window.history.replaceState({ key: 'kept' }, '', '/chart?range=1HR');
});

test.each([
  ['Bedroom', 'sensor=Bedroom'],
  ['Küche; 1', 'sensor=K%C3%BCche%3B%201'],
  ['', 'sensor='],
])('keeps %j as a cookie', (name, cookie) => {
  rememberSensor(name);
  expect(document.cookie).toBe(cookie);
  expect(window.location.search).toBe('?range=1HR');
});

test('the page that is left has its sensor in its address, so that going back shows it', () => {
  rememberSensor('Kitchen', 'Bedroom');
  expect([window.location.search, window.history.state]).toEqual([
    '?range=1HR&sensor=Bedroom',
    { key: 'kept' },
  ]);
  rememberSensor('Attic', 'Kitchen');
  expect(window.location.search).toBe('?range=1HR&sensor=Bedroom');
});
