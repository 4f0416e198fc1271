import { VERSION } from '../config/version.server';
import { hasLevels, LEVELS, type Level } from '../readings/level/level';
import { METRICS, type MetricField, type Thresholds } from '../readings/metric';
import { unitInHomeAssistant } from '../readings/metric-units.js';
import { minutesLeft } from '../readings/now/room-now';
import { measuredValue, type Reading } from '../readings/reading';
import type { VentilationAnswer } from '../readings/room/ventilation-answer';
import { sensorLabel } from '../readings/sensor';

/**
 * A sensor as a device of Home Assistant, by its MQTT discovery
 * (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload, from Home Assistant 2024.12 on).
 */

/** The names of a device's entities, which are also the members of its state. */
export type EntityKey = MetricField | 'level' | RoomKey;
type RoomKey = 'air_changes' | 'airing' | 'minutes_left' | 'enough';

/** The options of an entity. Those without a device class have no matching one. */
type Entity = { platform: 'sensor' | 'binary_sensor'; name: string } & Record<string, unknown>;

const METRIC_ENTITIES = METRICS.map(({ field, name, unit, deviceClass }): [EntityKey, Entity] => [
  field,
  {
    platform: 'sensor',
    name,
    state_class: 'measurement',
    ...(deviceClass && { device_class: deviceClass }),
    ...(unit && { unit_of_measurement: unitInHomeAssistant(unit) }),
  },
]);

const ROOM_ENTITIES: Record<RoomKey, Entity> = {
  air_changes: {
    platform: 'sensor',
    name: 'Air changes per hour',
    state_class: 'measurement',
    unit_of_measurement: '1/h',
  },
  airing: { platform: 'binary_sensor', name: 'Airing' },
  minutes_left: {
    platform: 'sensor',
    name: 'Airing time left',
    device_class: 'duration',
    state_class: 'measurement',
    unit_of_measurement: 'min',
  },
  enough: { platform: 'binary_sensor', name: 'Aired enough' },
};

/** All entities, in the order of a device's page. */
const ENTITIES = new Map<string, Entity>([
  ...METRIC_ENTITIES,
  ['level', { platform: 'sensor', name: 'Level', device_class: 'enum', options: [...LEVELS] }],
  ...Object.entries(ROOM_ENTITIES),
]);

export const isMetric = (key: string): boolean => METRICS.some(({ field }) => field === key);

/**
 * Returns the entities of a sensor.
 *
 * @param hasValues false if Home Assistant has the sensor's values already
 */
export function entitiesOf(newest: Reading, hasValues: boolean, thresholds: Thresholds): EntityKey[] {
  const measured = METRICS.filter(({ field }) => (newest[field] ?? null) !== null);
  return [
    ...(hasValues ? measured.map(({ field }) => field) : []),
    ...(measured.some((metric) => hasLevels(metric, thresholds)) ? (['level'] as const) : []),
    ...roomEntitiesOf(newest),
  ];
}

/** CO2 shows airings and air changes. Humidity shows only airings, but not how long they take. */
function roomEntitiesOf({ co2, humidity }: Reading): RoomKey[] {
  if (co2 !== null) return ['air_changes', 'airing', 'minutes_left', 'enough'];
  return (humidity ?? null) === null ? [] : ['airing', 'enough'];
}

interface Device {
  id: string;
  sensor: string;
  entities: ReadonlySet<string>;
  /** Entities that were announced before and aren't any longer. */
  removed: readonly string[];
  /** A value without a message for this long is no longer available. */
  expireAfterSeconds: number;
  statusTopic: string;
  stateTopic: string;
  publicUrl: string | null;
}

/** Returns the message that announces a device. Home Assistant removes an entity of which only the platform is left. */
export function announcement(device: Device): string {
  const { id, sensor, entities, removed, publicUrl } = device;
  const components: Record<string, object> = {};
  for (const [key, entity] of ENTITIES) {
    if (entities.has(key)) {
      components[key] = {
        ...entity,
        unique_id: `${id}_${key}`,
        value_template: `{{ value_json.${key} }}`,
        expire_after: device.expireAfterSeconds,
      };
    } else if (removed.includes(key)) components[key] = { platform: entity.platform };
  }
  return JSON.stringify({
    device: {
      identifiers: [id],
      name: sensorLabel(sensor),
      manufacturer: 'airboard',
      ...(publicUrl && { configuration_url: `${publicUrl}/?sensor=${encodeURIComponent(sensor)}` }),
    },
    origin: { name: 'airboard', sw_version: VERSION },
    availability_topic: device.statusTopic,
    state_topic: device.stateTopic,
    components,
  });
}

/** Returns the entities in an earlier announcement, and when they expire; no entities if it can't be read. */
export function announcedIn(text: string): { entities: Set<string>; expireAfterSeconds: number | null } {
  try {
    const components = Object.entries<Partial<Entity>>(JSON.parse(text).components);
    const own = components.filter(([key, { unique_id }]) => ENTITIES.has(key) && unique_id);
    const expireAfterSeconds = Number(own[0]?.[1].expire_after) || null;
    return { entities: new Set(own.map(([key]) => key)), expireAfterSeconds };
  } catch {
    return { entities: new Set(), expireAfterSeconds: null };
  }
}

/** The present facts about a sensor. */
export interface SensorFacts {
  newest: Reading;
  /** False if the newest reading is too old to describe the air. */
  isLive: boolean;
  level: Level | null;
  room: VentilationAnswer | null;
}

/**
 * Returns the state of a device's entities. Null is *unknown* in Home Assistant. The time of the reading makes a message of
 * each reading, even with equal values, so that values don't expire.
 */
export function stateText(
  entities: ReadonlySet<string>,
  { newest, isLive, level, room }: SensorFacts,
): string {
  const all: Record<string, unknown> = { level, ...roomState(room) };
  for (const metric of METRICS) all[metric.field] = measuredValue(newest, metric);
  const state = [...entities].map((key) => [key, isLive ? (all[key] ?? null) : null]);
  return JSON.stringify({ at: newest.created_at, ...Object.fromEntries(state) });
}

function roomState(room: VentilationAnswer | null): Record<RoomKey, unknown> {
  // Without these, airings can't be found.
  const isKnown = room !== null && (room.rebreathed !== null || room.moisture !== null);
  const airing = room?.airing ?? room?.moisture?.airing ?? null;
  const remaining = room?.airing?.remaining_minutes ?? null;
  return {
    air_changes: room?.air_changes?.median ?? null,
    airing: isKnown ? onOrOff(airing !== null) : null,
    minutes_left: remaining && minutesLeft(remaining),
    enough: isKnown ? onOrOff(airing?.is_enough === true) : null,
  };
}

const onOrOff = (isOn: boolean) => (isOn ? 'ON' : 'OFF');
