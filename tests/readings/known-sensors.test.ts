import { expect, test } from 'vitest';
import { addToSensors, MAX_SENSORS, newestFirst } from '../../app/readings/known-sensors';
import { type SensorSummary, UNNAMED } from '../../app/readings/reading';
import { reading, sensorWith } from '../support/readings/readings';

const kitchen = (id: number, created_at = reading(id).created_at) =>
  reading(id, { sensor: 'Kitchen', created_at });

/** The name and newest reading's id of each sensor. */
const newestIds = (sensors: readonly SensorSummary[]) => sensors.map(({ name, newest }) => [name, newest.id]);

/** The maximum number of listed sensors, each with one reading, last received first. */
const manySensors = Array.from({ length: MAX_SENSORS }, (_, i) =>
  sensorWith([reading(200 - i, { sensor: `Room ${i}` })]),
).flat();

test('a reading moves its sensor to the front and becomes its newest', () => {
  const first = addToSensors([], [reading(1), kitchen(2)], UNNAMED);
  expect(newestIds(first)).toEqual([
    ['Kitchen', 2],
    [UNNAMED, 1],
  ]);
  const next = addToSensors(first, [reading(3)], UNNAMED);
  expect(next).toEqual([
    {
      name: UNNAMED,
      newest: reading(3),
      first_heard: reading(1).created_at,
      last_heard: reading(3).created_at,
    },
    first[0],
  ]);
});

test('a late reading does not become the newest of its sensor, and may be its first', () => {
  const heard = addToSensors([], [kitchen(5)], UNNAMED);
  expect(addToSensors(heard, [kitchen(6, reading(2).created_at)], UNNAMED)).toEqual([
    {
      name: 'Kitchen',
      newest: kitchen(5),
      first_heard: reading(2).created_at,
      last_heard: reading(5).created_at,
    },
  ]);
});

test('a known reading changes nothing', () => {
  const heard = addToSensors([], [kitchen(5), kitchen(7)], UNNAMED);
  expect(addToSensors(heard, [kitchen(5), kitchen(6), kitchen(7)], UNNAMED)).toBe(heard);
});

test('lists the sensors with the last readings, and the shown one even if it is silent', () => {
  const silent = sensorWith([reading(1, { sensor: 'Cellar' })]);
  const all = [...silent, ...manySensors];
  expect(newestFirst(all, 'Room 3')).toEqual(manySensors);
  expect(newestFirst(all, 'Cellar')).toEqual([...manySensors.slice(0, -1), ...silent]);
  const heard = addToSensors(manySensors, [kitchen(300)], 'Room 99');
  expect(heard.map(({ name }) => name)).toEqual([
    'Kitchen',
    ...manySensors.slice(0, -2).map(({ name }) => name),
    'Room 99',
  ]);
});
