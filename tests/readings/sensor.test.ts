import { expect, test } from 'vitest';
import { isUnknownSensor, mentionedSensor } from '../../app/readings/sensor';
import { reading } from '../support/readings';

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

test.each([
  ['', [], false],
  ['', ['Bedroom'], true],
  ['Attic', [], true],
  ['Attic', ['Bedroom'], true],
  ['Bedroom', ['Bedroom'], false],
])('the sensor "%s" of %j is unknown: %s', (sensor, names, isUnknown) => {
  expect(isUnknownSensor({ sensor, sensors: sensors(...names) })).toBe(isUnknown);
});
