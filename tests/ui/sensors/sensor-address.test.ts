import { expect, test } from 'vitest';
import { withRange } from '../../../app/ui/chart/range-choice';
import { sharedSearch, withRooms, withSensor } from '../../../app/ui/sensors/sensor-address';

test.each([
  ['', 'Bedroom', '?sensor=Bedroom'],
  ['?range=1HR', '', '?range=1HR&sensor='],
  ['?sensor=Lab&range=1HR', 'A & B', '?sensor=A+%26+B&range=1HR'],
  ['?metrics=pm25,co2', 'Lab', '?metrics=pm25,co2&sensor=Lab'],
])('%j for the sensor %j becomes %s', (search, sensor, expected) => {
  expect(withSensor(search, sensor)).toBe(expected);
});

test.each([
  ['', ''],
  ['?range=1HR', ''],
  ['?range=1HR&sensor=Lab&wall', '?sensor=Lab'],
  ['?sensor=', '?sensor='],
  ['?metrics=pm25,co2&range=1HR', '?metrics=pm25,co2'],
])('%j keeps %j in links to other pages', (search, expected) => {
  expect(sharedSearch(search)).toBe(expected);
});

test.each([
  ['', '1HR', '?range=1HR'],
  ['?sensor=Lab', '1HR', '?sensor=Lab&range=1HR'],
  ['?sensor=Lab&range=1HR', null, '?sensor=Lab'],
  ['?range=1HR', null, ''],
  ['?metrics=pm25,co2', '1HR', '?metrics=pm25,co2&range=1HR'],
])('%j for the range %s becomes %j', (search, range, expected) => {
  expect(withRange(search, range)).toBe(expected);
});

test.each([
  ['?sensor=A&metrics=voc', '?sensor=A&sensor=B&span=week', '?metrics=voc&sensor=A&sensor=B'],
  ['?sensor=A', '?sensor=A&span=week', '?sensor=A'],
])('%j gets the rooms of %j', (search, page, expected) => {
  expect(withRooms(search, page)).toBe(expected);
});
