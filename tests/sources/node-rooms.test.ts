import { expect, test } from 'vitest';
import { nodeRooms } from '../../app/sources/node-rooms.server';

test('a node that measures a metric in two rooms has several from then on, for each metric with a room', () => {
  const rooms = nodeRooms();
  expect(rooms.note('ha', 'temperature', 'bedroom')).toBe(false);
  expect(rooms.note('ha', 'humidity', 'kitchen')).toBe(false);
  expect(rooms.note('ha', 'temperature', 'kitchen')).toBe(true);
  expect(rooms.note('ha', 'humidity', 'kitchen')).toBe(true);
});

test('names without a room and with the examples of ESPHome are of one node', () => {
  const rooms = nodeRooms();
  expect(rooms.note('node', 'co2', 'workshop')).toBe(false);
  expect(rooms.note('node', 'temperature', 'living_room')).toBe(false);
  expect(rooms.note('node', 'co2', '')).toBe(false);
  expect(rooms.note('other', 'co2', 'kitchen')).toBe(false);
});
