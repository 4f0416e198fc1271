import { expect, test } from 'vitest';
import { isUnknownSensor, mentionedSensor } from '../../app/readings/sensor';
import { reading } from '../support/readings/readings';

const sensors = (...names: string[]) =>
  names.map((name) => {
    const newest = reading(1);
    return { name, newest, first_heard: newest.created_at, last_heard: newest.created_at };
  });

test.each([
  ['', [], null],
  ['', [''], null],
  ['', ['', 'Bedroom'], 'Unnamed sensor'],
  ['Bedroom', ['Bedroom'], 'Bedroom'],
  ['Bedroom', ['', 'Bedroom'], 'Bedroom'],
  ['Attic', [], 'Attic'],
])('the sensor "%s" of %j is called %s', (sensor, names, called) => {
  expect(mentionedSensor({ sensor, sensors: sensors(...names) })).toBe(called);
});

const LOADED = { hasLoaded: true, last: null };

test.each([
  ['', [], false],
  ['', [''], false],
  ['', ['Bedroom'], true],
  ['Attic', [], true],
  ['Attic', ['Bedroom'], true],
  ['Bedroom', ['Bedroom'], false],
])('the sensor "%s" of %j is unknown: %s', (sensor, names, isUnknown) => {
  expect(isUnknownSensor({ ...LOADED, sensor, sensors: sensors(...names) })).toBe(isUnknown);
});

test.each([
  ['before the store has been read', { hasLoaded: false }],
  ['with a reading that the list lacks', { last: reading(1) }],
])('no sensor is unknown %s', (_, page) => {
  expect(isUnknownSensor({ ...LOADED, sensor: 'Attic', sensors: [], ...page })).toBe(false);
});
