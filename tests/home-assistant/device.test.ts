import { expect, test } from 'vitest';
import { announcedIn, announcement, entitiesOf, stateText } from '../../app/home-assistant/device.server';
import { METRICS, type Thresholds } from '../../app/readings/metric';
import type { Reading } from '../../app/readings/reading';
import type { VentilationAnswer } from '../../app/readings/room/ventilation-answer';
import { discoveryFaults } from '../support/home-assistant/discovery-rules';

const THRESHOLDS: Thresholds = { co2: { good: 1000, moderate: 2000 }, voc: { good: 400, moderate: 800 } };
const JUDGEMENTS = ['level', 'air_changes', 'airing', 'minutes_left', 'enough'];

/** A reading with all metrics. */
const reading = {
  id: 1,
  created_at: '2026-11-28T10:00:00.000Z',
  ...Object.fromEntries(METRICS.map(({ field, plausible }) => [field, plausible.from + 1])),
} as Reading;

const room: VentilationAnswer = {
  ...{
    sensor: 'Bedroom',
    at: '2026-11-28T10:00:00.000Z',
    believable: true,
    reasons: [],
    offered_offset: null,
  },
  air_changes: { median: 0.42, lowest: 0.3, highest: 0.5, decays: 4 },
  airing: {
    ...{ since: '2026-11-28T09:50:00.000Z', from_ppm: 1500, ends_at_ppm: null },
    ...{ remaining_minutes: [4, 7], is_enough: false },
  },
  ...{ usual_airing_minutes: null, forecast: null, rebreathed: 0.01, moisture: null, outdoors: null },
};

const device = (entities: Iterable<string>, removed: string[] = []) => ({
  ...{ id: 'airboard_a_b', sensor: 'Küche', entities: new Set(entities), removed, expireAfterSeconds: 900 },
  ...{ statusTopic: 'airboard/a/status', stateTopic: 'airboard/a/b/state', publicUrl: 'https://air.example' },
});
const TOPIC = 'homeassistant/device/airboard_a_b/config';

test('announces every metric and judgement as Home Assistant takes it', () => {
  const entities = entitiesOf(reading, true, THRESHOLDS);
  expect(entities).toEqual([...METRICS.map(({ field }) => field), ...JUDGEMENTS]);
  const text = announcement(device(entities));
  expect(discoveryFaults(TOPIC, text)).toEqual([]);
  const { components } = JSON.parse(text);
  expect(Object.keys(components)).toEqual(entities);
  expect(components.co2).toMatchObject({ device_class: 'carbon_dioxide', unit_of_measurement: 'ppm' });
  expect(components.voc_index).not.toHaveProperty('device_class');
});

test('the rules notice wrong units, lost members and illegal topics', () => {
  const text = announcement(device(['co2', 'level']));
  expect(discoveryFaults('homeassistant/device/Küche/config', text)).toEqual([
    expect.stringMatching('illegal'),
  ]);
  expect(discoveryFaults(TOPIC, text.replace('"ppm"', '"ppb"'))).toEqual(['co2 is carbon_dioxide in ppb']);
  expect(discoveryFaults(TOPIC, text.replace('"unique_id"', '"uniq"'))).toHaveLength(2);
  expect(discoveryFaults(TOPIC, text.replace('"origin"', '"orig"'))).toHaveLength(2);
});

test('a sensor that Home Assistant has from the broker gets only judgements', () => {
  const judged = entitiesOf(reading, false, THRESHOLDS);
  expect(judged).toEqual(JUDGEMENTS);
  const text = announcement(device(judged, ['co2']));
  expect(discoveryFaults(TOPIC, text)).toEqual([]);
  expect(JSON.parse(text).components.co2).toEqual({ platform: 'sensor' });
});

test('a sensor without levels or a room has only its values', () => {
  const none = { ...reading, ...Object.fromEntries(METRICS.map(({ field }) => [field, null])) };
  const entities = (values: Partial<Reading>, hasValues = true) =>
    entitiesOf({ ...none, ...values }, hasValues, THRESHOLDS);
  expect(entities({ pressure: 990 })).toEqual(['pressure']);
  expect(entities({ pressure: 990 }, false)).toEqual([]);
  expect(entities({ humidity: 40 })).toEqual(['humidity', 'airing', 'enough']);
});

test('the state has a value for each entity, and null for what is unknown, faulty or too old', () => {
  const entities = new Set(['co2', 'temperature', ...JUDGEMENTS]);
  const faulty = { ...reading, co2: 1480, temperature: 127 };
  const facts = { newest: faulty, isLive: true, level: 'moderate', room } as const;
  expect(JSON.parse(stateText(entities, facts))).toEqual({
    ...{ at: reading.created_at, co2: 1480, temperature: null, level: 'moderate' },
    ...{ air_changes: 0.42, airing: 'ON', minutes_left: 6, enough: 'OFF' },
  });
  const unknown = { co2: null, temperature: null, level: null, air_changes: null };
  expect(JSON.parse(stateText(entities, { ...facts, isLive: false }))).toEqual({
    ...{ at: reading.created_at, ...unknown, airing: null, minutes_left: null, enough: null },
  });
});

test('without an airing, none is on; without an answer about the room, it is not known', () => {
  const entities = new Set(['airing', 'enough', 'minutes_left']);
  const state = (room: VentilationAnswer | null) => {
    const { at, ...rest } = JSON.parse(
      stateText(entities, { newest: reading, isLive: true, level: null, room }),
    );
    return rest;
  };
  expect(state({ ...room, airing: null })).toEqual({ airing: 'OFF', enough: 'OFF', minutes_left: null });
  expect(state(null)).toEqual({ airing: null, enough: null, minutes_left: null });
  expect(state({ ...room, airing: null, rebreathed: null })).toEqual(state(null));
});

test('reads the entities of an earlier announcement, without removed ones, and none from another text', () => {
  const before = announcedIn(announcement(device(['co2', 'level'], ['voc'])));
  expect(before).toEqual({ entities: new Set(['co2', 'level']), expireAfterSeconds: 900 });
  const none = { entities: new Set(), expireAfterSeconds: null };
  for (const text of ['', '{}', 'null', '[1]', 'online', '{"components":{"co2":null}}'])
    expect(announcedIn(text)).toEqual(none);
});
