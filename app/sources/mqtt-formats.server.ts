import { isEspHomeTopic } from '../config/source-settings.server';
import { membersOf, refuse, type Translate, type Translation } from '../ingest/devices';
import { parseJson } from '../ingest/parse-json';
import { parseSentTime } from '../ingest/parse-reading.server';
import { mentionsMetric, readName } from '../readings/metric-names.js';
import type { SentNumber } from './join-numbers.server';
import { type NameSettings, readValue } from './named-value.server';
import { type DeviceState, isTasmota, isZigbee, tasmotaState, zigbeeState } from './state-formats.server';

/** The content of an MQTT message. */
export type MqttMessage =
  /** A post in airboard's own format: a reading, or an array of them. */
  | { kind: 'post'; translate: Translate }
  /** The members of a reading. `remarks` are for the log: why members that look like a metric aren't taken. */
  | { kind: 'reading'; value: Record<string, unknown>; remarks: string[] }
  /** One number, to be joined with others of the same sensor. `place` is the place in its name that the sensor's doesn't have. */
  | ({ kind: 'number'; place: string; isRetained: boolean } & SentNumber)
  /** Nothing to store. `reason` is for the log, or null for messages that devices normally send. */
  | { kind: 'ignored'; reason: string | null };

/** Returns true if a topic filter selects a topic by MQTT's rules. Supports only the wildcard `+`. */
export function matchesTopic(filter: string, topic: string): boolean {
  const [expected, levels] = [filter.split('/'), topic.split('/')];
  return (
    levels.length === expected.length && expected.every((level, i) => level === '+' || level === levels[i])
  );
}

/** The largest message of Zigbee2MQTT or Tasmota in bytes, as large as a post of one reading. */
const JSON_LIMIT = 16 * 1024;
const TOO_LONG = Symbol('a message over JSON_LIMIT');
export const RETAINED = 'is retained by the broker and has no time, so it may be of any age';

/** A device that says whether it is connected: `online`, or `{"state":"online"}`. */
const AVAILABILITY =
  /^\s*(\{\s*"state"\s*:\s*)?"?(online|offline|alive|dead|connected|disconnected)"?\s*\}?\s*$/i;

/**
 * Reads a message. The level at the first `+` of the filter that selected it names the sensor, even if the message has another
 * name. Without a `+`, NAME does.
 *
 * - `NAME/sensor/METRIC/state`: ESPHome, a bare number for each metric. Home Assistant's Statestream has the same topics.
 * - `zigbee2mqtt/NAME`, or JSON with `linkquality`: the state of a Zigbee device, with any metrics.
 * - A topic that ends with `SENSOR`, or JSON with `Time` and an object: Tasmota's sensors, an object for each.
 * - Any other: airboard's own format.
 */
export function readMessage(
  filter: string,
  topic: string,
  payload: Buffer | string,
  isRetained: boolean,
  names: NameSettings = new Map(),
): MqttMessage {
  const levels = topic.split('/');
  const wildcard = filter.split('/').indexOf('+');
  const named = wildcard < 0 ? undefined : levels[wildcard];
  if (payload.length < 100 && AVAILABILITY.test(String(payload))) return { kind: 'ignored', reason: null };
  if (isEspHomeTopic(filter)) {
    const isMetric = wildcard === levels.length - 2;
    const sensor = named === undefined || isMetric ? levels.slice(0, -3).join('/') : named;
    const name = levels.at(-2) ?? '';
    return readNumber(names, sensor, name, String(payload), isRetained, isStatestream(topic));
  }
  const sent = payload.length > JSON_LIMIT ? TOO_LONG : jsonOf(payload);
  const members = Array.isArray(sent) ? {} : membersOf(sent);
  const state = { sent, members, isRetained };
  if (isTasmota(levels, members)) {
    const sensor =
      named ??
      levels
        .slice(0, -1)
        .filter((level) => level !== 'tele')
        .join('/');
    return readState(tasmotaState, names, sensor, state);
  }
  if (isZigbee(levels, members)) {
    return readState(zigbeeState, names, named ?? levels.slice(1).join('/'), state);
  }
  return { kind: 'post', translate: (sent) => ownReading(sent, named, isRetained) };
}

function jsonOf(payload: Buffer | string): unknown {
  try {
    return parseJson(String(payload));
  } catch {
    return undefined;
  }
}

/**
 * Translates airboard's own format. A retained message arrives again with every subscription, so it needs its own time.
 */
function ownReading(sent: unknown, sensor: string | undefined, isRetained: boolean): Translation {
  const members = membersOf(sent);
  if (isRetained && (members.created_at ?? null) === null) {
    return refuse('created_at', 'is missing in a retained message, which may be of any age');
  }
  return { ok: true, value: sensor === undefined ? members : { ...members, sensor } };
}

/** Base topics of Home Assistant's Statestream, which sends the entities of all rooms below one topic. */
const STATESTREAM = /^(home-?_?assistant|hass|(mqtt_?)?statestream)$/i;

export const isStatestream = (topic: string): boolean =>
  topic.split('/').some((level) => STATESTREAM.test(level));

/** Reads a number from ESPHome, which sends `nan` for no value, or from Statestream, whose entities name their rooms. */
function readNumber(
  names: NameSettings,
  sensor: string,
  name: string,
  value: string,
  isRetained: boolean,
  isStatestream: boolean,
): MqttMessage {
  const read = readValue(names, { sensor, name, value });
  if (read.kind === 'none') return { kind: 'ignored', reason: null };
  if (read.kind === 'refused') {
    // Statestream also sends hundreds of entities that have nothing to do with air.
    return { kind: 'ignored', reason: isStatestream && !mentionsMetric(name) ? null : read.reason };
  }
  const { field, setting } = read;
  const named = readName(name);
  const room = setting?.sensor ?? (isStatestream ? named?.before : sensor);
  if (!room) {
    const reason = `"${name}" doesn't say its room. To take it, set MQTT_NAMES=${sensor}/${name}=ROOM/${field}`;
    return { kind: 'ignored', reason };
  }
  const place = setting || isStatestream ? '' : placeOf(named?.place ?? '', sensor);
  return { kind: 'number', isRetained, sensor: room, place, name, field, value: read.value };
}

/** Returns the words of a place that the sensor's name doesn't have. */
function placeOf(place: string, sensor: string): string {
  const own = sensor.toLowerCase().split(/[^a-z0-9]+/);
  return place
    .split('_')
    .filter((word) => !own.includes(word))
    .join('_');
}

/** A parsed message. `sent` is undefined if it isn't JSON, and `members` are empty if it isn't an object. */
interface SentState {
  sent: unknown;
  members: Record<string, unknown>;
  isRetained: boolean;
}

function readState(
  read: (names: NameSettings, sensor: string, members: Record<string, unknown>) => DeviceState,
  names: NameSettings,
  sensor: string,
  { sent, members, isRetained }: SentState,
): MqttMessage {
  if (sent === TOO_LONG) return { kind: 'ignored', reason: `is over ${JSON_LIMIT / 1024} KiB` };
  if (sent === undefined) return { kind: 'ignored', reason: 'is not JSON' };
  const { values, time, remarks } = read(names, sensor, members);
  // A device whose clock is wrong or ahead gets the server's time.
  const created_at = parseSentTime(time, () => undefined, Date.now());
  if (isRetained && created_at === undefined) return { kind: 'ignored', reason: RETAINED };
  if (Object.keys(values).length === 0) {
    const reason = ['has no metric that airboard keeps', ...remarks].join('. ');
    return { kind: 'ignored', reason };
  }
  const value = { co2: null, voc: null, ...values, sensor, ...(created_at !== undefined && { created_at }) };
  return { kind: 'reading', value, remarks };
}
