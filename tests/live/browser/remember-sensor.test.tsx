import { expect, test } from 'vitest';
import { rememberSensor } from '../../../app/live/browser/use-readings';

test.each([
  ['Bedroom', 'sensor=Bedroom'],
  ['Küche; 1', 'sensor=K%C3%BCche%3B%201'],
  ['', 'sensor='],
])('keeps %j as a cookie', (name, cookie) => {
  rememberSensor(name);
  expect(document.cookie).toBe(cookie);
});
