import { expect, test } from 'vitest';
import { askedSensor } from '../../app/http/asked-sensor.server';

const asked = (search: string, cookie?: string) =>
  askedSensor(new Request(`http://airboard/${search}`, { headers: cookie ? { Cookie: cookie } : {} }));

test.each([
  ['?sensor=Bedroom', { chosen: 'Bedroom' }],
  ['?range=1HR&sensor=K%C3%BCche%20%F0%9F%8D%B3&wall', { chosen: 'Küche 🍳' }],
  ['?sensor=', { chosen: '' }],
  ['?sensor=%20Bedroom%20', { chosen: 'Bedroom' }],
  [`?sensor=${'x'.repeat(64)}`, { chosen: 'x'.repeat(64) }],
  [`?sensor=${encodeURIComponent('🍳'.repeat(64))}`, { chosen: '🍳'.repeat(64) }],
  ['?range=1HR', {}],
])('%s asks for %j', (search, expected) => {
  expect(asked(search)).toEqual(expected);
});

test('the address counts more than the cookie', () => {
  expect(asked('?sensor=Bedroom', 'sensor=Kitchen')).toEqual({ chosen: 'Bedroom' });
});

test.each([
  ['sensor=Kitchen', 'Kitchen'],
  ['a=1; sensor=K%C3%BCche; b=2', 'Küche'],
  ['a=1;sensor=Kitchen', 'Kitchen'],
  ['sensor=', ''],
  [`sensor=${encodeURIComponent('🍳'.repeat(64))}`, '🍳'.repeat(64)],
])('the cookie %s remembers %j', (cookie, remembered) => {
  expect(asked('', cookie)).toEqual({ remembered });
});

test.each([
  'sensor=%',
  'sensor=%FF',
  'sensor=%00',
  'sensor=a%0Ab',
  `sensor=${'x'.repeat(65)}`,
  `sensor=${'x'.repeat(8000)}`,
  'mysensor=Kitchen',
  'a=sensor=Kitchen',
])('ignores the cookie %s', (cookie) => {
  expect(asked('', cookie)).toEqual({});
});

test.each([
  `?sensor=${'x'.repeat(65)}`,
  '?sensor=a%00b',
  '?sensor=a%0Ab',
  `?sensor=${'%F0%9F%8D%B3'.repeat(65)}`,
])('answers %s with the error page for 400', (search) => {
  let thrown: unknown;
  try {
    asked(search);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ status: 400, statusText: 'Unknown sensor' });
});
