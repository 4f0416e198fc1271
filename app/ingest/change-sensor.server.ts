/** Changes the settings and the name of a sensor, as `PATCH /api/sensors` asks. */
import { type ApiRequest, type Refusal, refusalOf, type WriteAnswer } from '../http/answer';
import { counted } from '../readings/format/counted.js';
import { canBeSensor, nameLook, newNameFault, sameLookFault } from '../readings/sensor-name.js';
import { changeSettings, type SensorSettings } from '../readings/sensor-settings';
import type { ReadingStore } from '../store/reading-store';
import { isObject } from './devices';
import { takeRoom } from './post-rate.server';
import { BodyMemory, receiveItem } from './receive-body.server';

type ChangeRequest = Pick<ApiRequest, 'header' | 'address' | 'body' | 'url'>;

interface Known {
  store: Pick<ReadingStore, 'settings' | 'names' | 'lastHeard'>;
  settingsOf(sensor: string): SensorSettings;
  /** Returns the sensor that had a former name. */
  nameOf(sensor: string): string;
}

const NOT_A_CHANGE: Refusal = {
  status: 400,
  detail: 'The body is not a JSON object. Send the members to change, such as {"group": "Home"}.',
};

/** Changes the sensor in the address by the body. Call `refuseWrite` first. */
export async function changeSensor(known: Known, request: ChangeRequest): Promise<WriteAnswer> {
  const asked = askedChange(request.url.searchParams);
  if ('status' in asked) return { ok: false, ...asked };
  const memory = new BodyMemory(request);
  try {
    const received = await receiveItem(request, memory);
    if (!received.ok) {
      return received.status === 413
        ? { ...received, detail: 'The body is over 16 KiB. Send one change at a time.' }
        : received;
    }
    const room = takeRoom(request.address());
    if (!room.ok) return room;
    return await change(known, asked, jsonOf(received.text));
  } catch (error) {
    return { ok: false, ...refusalOf(error) };
  } finally {
    memory.release();
  }
}

interface AskedChange {
  sensor: string;
  isMerge: boolean;
}

function askedChange(parameters: URLSearchParams): AskedChange | Refusal {
  const sensor = parameters.get('sensor')?.trim();
  const merge = parameters.get('merge');
  const fault =
    sensor === undefined
      ? { field: 'sensor', detail: 'is missing: send the name of a sensor, or nothing for the unnamed one' }
      : !canBeSensor(sensor)
        ? { field: 'sensor', detail: "can't be a sensor's name" }
        : merge !== null && merge !== 'true' && merge !== 'false'
          ? { field: 'merge', detail: 'must be true or false' }
          : null;
  if (fault) return { status: 400, detail: 'The query is invalid.', errors: [fault] };
  return { sensor: sensor ?? '', isMerge: merge === 'true' };
}

/** Returns null for text that isn't JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function change(known: Known, { sensor, isMerge }: AskedChange, sent: unknown): Promise<WriteAnswer> {
  if (!isObject(sent) || Array.isArray(sent)) return { ok: false, ...NOT_A_CHANGE };
  const { store } = known;
  const before = known.settingsOf(sensor);
  const parsed = changeSettings(before, sent as Record<string, unknown>);
  if (!parsed.ok) return { ok: false, status: 400, detail: 'The change is invalid.', errors: parsed.errors };
  const { settings, name = sensor } = parsed.change;
  const fault = name === sensor ? null : await nameFaultIn(store, sensor, name);
  if (fault !== null) {
    const errors = [{ field: 'name', detail: fault }];
    return { ok: false, status: 400, detail: 'The change is invalid.', errors };
  }
  const result = await store.settings.change({ sensor, name, settings, isMerge });
  if (result.outcome === 'unknown') return { ok: false, ...unknown(sensor, known.nameOf(sensor)) };
  if (result.outcome === 'taken') return { ok: false, ...taken(name) };
  if (result.outcome === 'conflicts') return { ok: false, ...conflicting(sensor, name, result.conflicts) };
  const detail = describeChange(sensor, name, before, settings);
  if (detail) console.log(`[airboard] ${detail}`);
  const summary = (await store.lastHeard(name)).find((one) => one.name === name);
  return { ok: true, status: 200, value: summary ?? { name, ...known.settingsOf(name) } };
}

/** Returns the reason why a sensor can't get a name; null if it can, or if another sensor has exactly this name. */
async function nameFaultIn(
  store: Pick<ReadingStore, 'names'>,
  sensor: string,
  name: string,
): Promise<string | null> {
  const others = (await store.names()).filter((other) => other !== sensor);
  if (name === '' || others.includes(name)) return null;
  const fault = newNameFault(name);
  const same = others.find((other) => other !== '' && nameLook(other) === nameLook(name));
  return fault ?? (same === undefined ? null : sameLookFault(same));
}

export const quoted = (sensor: string): string =>
  sensor === '' ? 'the unnamed sensor' : `the sensor ${JSON.stringify(sensor)}`;

/** The refusal for a sensor without readings, with the current name of one that was renamed. */
export function unknown(sensor: string, current: string): Refusal {
  const advice = current === sensor ? '' : ` It is ${JSON.stringify(current)} now.`;
  return { status: 404, detail: `There are no readings of ${quoted(sensor)}.${advice}` };
}

function taken(name: string): Refusal {
  const detail = `${quoted(name)} exists already. Choose another name, or add merge=true to give it the readings.`;
  return { status: 409, detail: detail.replace(/^t/, 'T') };
}

function conflicting(sensor: string, name: string, conflicts: number): Refusal {
  const times = counted(conflicts, 'time');
  return {
    status: 409,
    detail: `Nothing was merged: ${quoted(sensor)} and ${quoted(name)} both have readings at ${times}.`,
    members: { conflicts },
  };
}

/** Returns a line for the log; null if nothing has changed. */
function describeChange(
  sensor: string,
  name: string,
  before: SensorSettings,
  after: SensorSettings,
): string | null {
  const changes = (Object.keys(after) as (keyof SensorSettings)[])
    .filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]))
    .map((member) => `${member} ${JSON.stringify(after[member])}`);
  if (name !== sensor) changes.unshift(`name ${JSON.stringify(name)}`);
  return changes.length === 0 ? null : `${quoted(sensor)} was changed: ${changes.join(', ')}`;
}
