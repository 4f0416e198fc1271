import { expect, test } from 'vitest';
import { nodeRooms } from '../../app/sources/node-rooms.server';

test('a node that measures a metric in two rooms has both from then on, for each metric with a room', () => {
  const rooms = nodeRooms();
  expect(rooms.note('ha', 'temperature', 'bedroom')).toBeNull();
  expect(rooms.note('ha', 'humidity', 'kitchen')).toBeNull();
  expect(rooms.note('ha', 'temperature', 'kitchen')).toEqual(['bedroom', 'kitchen']);
  expect(rooms.note('ha', 'humidity', 'kitchen')).toEqual(['bedroom', 'kitchen']);
});

test('names without a room and with the examples of ESPHome are of one node', () => {
  const rooms = nodeRooms();
  expect(rooms.note('node', 'co2', 'workshop')).toBeNull();
  expect(rooms.note('node', 'temperature', 'living_room')).toBeNull();
  expect(rooms.note('node', 'co2', '')).toBeNull();
  expect(rooms.note('other', 'co2', 'kitchen')).toBeNull();
});
