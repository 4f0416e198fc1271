import { expect, test } from 'vitest';
import {
  byGroup,
  countText,
  isInGroup,
  NO_FACTS,
  type RoomNow,
  roomNow,
  sortByName,
  withTime,
  worstFirst,
} from '../../../app/readings/now/room-now';
import type { Reading } from '../../../app/readings/reading';
import { withArrivals } from '../../../app/ui/rooms/use-rooms';
import { THRESHOLDS } from '../../support/readings/readings';

const NOW = Date.UTC(2026, 0, 31, 10);
const MINUTE = 60_000;
const RULES = { thresholds: THRESHOLDS };

const reading = (values: Partial<Reading>, agoMs = 0): Reading => ({
  id: 1,
  co2: null,
  voc: null,
  created_at: new Date(NOW - agoMs).toISOString(),
  ...values,
});

const room = (sensor: string, co2: number, agoMs = 0, facts = NO_FACTS): RoomNow =>
  roomNow(sensor, reading({ co2 }, agoMs), facts, RULES, NOW);

test('rooms with known air come first, the worst of them at the top, and equal ones stay by name', () => {
  const rooms = [
    room('Room 10', 1500),
    room('Room 9', 1500),
    room('Gym', 3000, 20 * MINUTE),
    room('Hall', 2100),
    room('Attic', 600),
    room('Faulty', 0),
  ];
  const names = (found: readonly RoomNow[]) => found.map(({ sensor }) => sensor);
  const byName = sortByName(rooms, ({ sensor }) => sensor);
  expect(names(byName)).toEqual(['Attic', 'Faulty', 'Gym', 'Hall', 'Room 9', 'Room 10']);
  expect(names(worstFirst(byName, THRESHOLDS))).toEqual([
    'Hall',
    'Room 9',
    'Room 10',
    'Attic',
    'Faulty',
    'Gym',
  ]);
  expect(countText(rooms)).toBe('6 rooms: 1 poor, 2 moderate, 1 good, 1 faulty, 1 silent');
  expect(countText([])).toBe('0 rooms');
});

test('groups stand in the order of their worst room, or by name', () => {
  const inGroup = (sensor: string, co2: number, group: string) =>
    room(sensor, co2, 0, { ...NO_FACTS, group });
  const rooms = worstFirst(
    [
      inGroup('a', 600, 'School/Floor 10'),
      inGroup('b', 2100, 'School/Floor 9'),
      inGroup('c', 1200, 'School/Floor 10'),
    ],
    THRESHOLDS,
  );
  const groups = (isByName: boolean) =>
    byGroup(rooms, isByName).map(({ group, rooms }) => [group, rooms.map(({ sensor }) => sensor).join('')]);
  expect(groups(false)).toEqual([
    ['School/Floor 9', 'b'],
    ['School/Floor 10', 'ca'],
  ]);
  expect(groups(true)).toEqual(groups(false));
  expect(isInGroup('School/Floor 9', 'School')).toBe(true);
  expect(isInGroup('Schoolyard', 'School')).toBe(false);
  expect(isInGroup('', '')).toBe(true);
});

test.each([
  ['poor CO2', { co2: 2100 }, {}, 'open a window now'],
  ['moderate CO2', { co2: 1200 }, {}, 'open a window soon'],
  ['poor particles', { co2: 600, pm25: 90 }, {}, 'PM2.5 is poor'],
  ['good air', { co2: 600 }, {}, ''],
  ['a fault', { co2: 65_535 }, {}, 'check the sensor'],
  [
    'an airing',
    { co2: 1800 },
    { airing: { remaining_minutes: [3, 5], is_enough: false } },
    'airing, 4 min left',
  ],
  [
    'an airing that is enough',
    { co2: 600 },
    { airing: { remaining_minutes: null, is_enough: true } },
    'enough: close the window',
  ],
] as const)('says what to do: %s', (_, values, facts, advice) => {
  expect(roomNow('a', reading(values), { ...NO_FACTS, ...facts } as typeof NO_FACTS, RULES, NOW).advice).toBe(
    advice,
  );
});

test('a room becomes stale, then silent, and a metric that it lacks has no level', () => {
  const facts = { ...NO_FACTS, stale_after_seconds: 60, silent_after_seconds: 900 };
  const live = room('a', 2100, 0, facts);
  expect([59, 61, 901].map((seconds) => withTime(live, NOW + seconds * 1000).freshness)).toEqual([
    'live',
    'stale',
    'silent',
  ]);
  expect(withTime(live, NOW - 10 * MINUTE).freshness).toBe('ahead');
  expect(roomNow('a', reading({ co2: 900 }), NO_FACTS, { ...RULES, metric: 'pm25' }, NOW)).toMatchObject({
    metric: null,
    value: null,
    level: null,
    is_faulty: false,
  });
});

test('a new reading keeps since when a threshold is exceeded, and a late one changes nothing', () => {
  const since = new Date(NOW - 12 * MINUTE).toISOString();
  const known = room('a', 1200, MINUTE, { ...NO_FACTS, above: { threshold: THRESHOLDS.co2.good, since } });
  const options = { thresholds: THRESHOLDS, now: NOW, isWhole: true };
  const after = (values: Partial<Reading>, agoMs = 0, name = 'a') =>
    withArrivals([known], new Map([[name, reading(values, agoMs)]]), options);
  expect(after({ co2: 1300 })[0]?.above?.since).toBe(since);
  expect(after({ co2: 2300 })[0]?.above).toEqual({
    threshold: THRESHOLDS.co2.moderate,
    since: new Date(NOW).toISOString(),
  });
  const same = [known];
  expect(withArrivals(same, new Map([['a', reading({ co2: 3000 }, 2 * MINUTE)]]), options)).toBe(same);
  expect(after({ co2: 700 }, 0, 'b').map(({ sensor }) => sensor)).toEqual(['a', 'b']);
});
