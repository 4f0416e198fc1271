import { type Correction, readCorrections } from './correction';
import type { FieldError } from './field-error';
import {
  type ComfortLimits,
  METRICS,
  type Metric,
  type MetricField,
  type Threshold,
  type Thresholds,
} from './metric';
import { noteTextFault } from './note';
import { nameFault } from './sensor-name.js';

export const PLACES = ['indoors', 'outdoors'] as const;
type Place = (typeof PLACES)[number];

/** A sensor's own thresholds: a `Threshold` for a metric with levels, `ComfortLimits` for temperature and humidity. */
export type OwnThresholds = { [F in MetricField]?: Threshold | ComfortLimits };

/** The settings of one sensor, as the API sends them and the stores keep them. */
export interface SensorSettings {
  /** A path such as `School/Floor 2`; empty for no group. */
  group: string;
  place: Place;
  /** A remark about the place; may be empty. */
  note: string;
  /** True to leave the sensor out of lists, strips and walls. Its readings are stored as ever. */
  is_hidden: boolean;
  thresholds: OwnThresholds;
  /** The sensor's own `SILENT_AFTER` in seconds; null for that of the server. */
  silent_after_seconds: number | null;
  /** By metric and time. Readings are stored as posted and as corrected. */
  corrections: Correction[];
  /** The sensor's own `RAW_DAYS`, 0 to keep all raw readings; null for that of the server. */
  raw_days: number | null;
}

export const DEFAULT_SETTINGS: SensorSettings = {
  group: '',
  place: 'indoors',
  note: '',
  is_hidden: false,
  thresholds: {},
  silent_after_seconds: null,
  corrections: [],
  raw_days: null,
};

/** The most characters of a group. */
export const MAX_GROUP_CHARACTERS = 200;
/** `silent_after_seconds` is at least one second and at most seven days, like `SILENT_AFTER`. */
export const MAX_SILENT_SECONDS = 7 * 86_400;

/** Raw readings are kept for at least this many days: the findings about a room need 28 (`ROOM_DAYS`). */
export const LEAST_RAW_DAYS = 30;
export const MOST_RAW_DAYS = 36_500;

/** Returns true for a number of days that raw readings can be kept, or 0 to keep all. */
const isRawDays = (days: unknown): days is number =>
  Number.isInteger(days) && (days === 0 || (Number(days) >= LEAST_RAW_DAYS && Number(days) <= MOST_RAW_DAYS));

/** Returns true if a sensor has the settings of a new one. */
export function areDefault(settings: SensorSettings): boolean {
  return JSON.stringify(settings) === JSON.stringify(DEFAULT_SETTINGS);
}

/** Returns the members of `values` that are settings, in a fixed order, with the defaults of missing ones. */
export function settingsIn(values: Partial<SensorSettings>): SensorSettings {
  const { group, place, note, is_hidden, thresholds, silent_after_seconds, corrections, raw_days } = {
    ...DEFAULT_SETTINGS,
    ...values,
  };
  return { group, place, note, is_hidden, thresholds, silent_after_seconds, corrections, raw_days };
}

/** Returns the thresholds of a sensor: its own, and the server's for all other metrics. */
export function thresholdsFor(server: Thresholds, own: OwnThresholds | undefined): Thresholds {
  if (!own || Object.keys(own).length === 0) return server;
  const thresholds = { ...server, comfort: { ...server.comfort } };
  for (const metric of METRICS) {
    const limits = own[metric.field];
    if (limits && hasComfort(metric)) thresholds.comfort[metric.field] = limits as ComfortLimits;
    else if (limits) thresholds[metric.field] = limits as Threshold;
  }
  return thresholds;
}

/** Returns `SILENT_AFTER` of a sensor in milliseconds: its own, else the server's. */
export function silentAfterMsFor(
  serverMs: number | null,
  settings: Partial<Pick<SensorSettings, 'silent_after_seconds'>> | undefined,
): number | null {
  const seconds = settings?.silent_after_seconds ?? null;
  return seconds === null ? serverMs : seconds * 1000;
}

const hasComfort = (metric: Metric): boolean => metric.comfort !== undefined;

/** A change of a sensor: its settings afterwards, and its new name, or undefined to keep the name. */
export interface SettingsChange {
  settings: SensorSettings;
  name?: string;
}

type Parsed = { ok: true; change: SettingsChange } | { ok: false; errors: FieldError[] };

const MEMBERS = ['name', ...Object.keys(DEFAULT_SETTINGS)];

/**
 * Applies the members of a JSON object to a sensor's settings. Members that are left out stay; null restores a default. In
 * `thresholds`, each metric is a member of its own; `corrections` replaces all of them.
 *
 * @param before the settings so far
 */
export function changeSettings(before: SensorSettings, sent: Readonly<Record<string, unknown>>): Parsed {
  const errors: FieldError[] = [];
  const reject = (field: string, detail: string) => void errors.push({ field, detail });
  const settings = { ...before };
  let name: string | undefined;
  for (const [member, value] of Object.entries(sent)) {
    switch (member) {
      case 'name': {
        if (typeof value === 'string') name = value.trim().normalize('NFC');
        const fault = typeof value === 'string' ? nameFault(name ?? '') : 'must be text';
        if (fault !== null) reject(member, fault);
        break;
      }
      case 'group':
        settings.group = readText(
          value,
          (text) => groupFault(text),
          (detail) => reject(member, detail),
          asPath,
        );
        break;
      case 'note':
        settings.note = readText(value, noteFault, (detail) => reject(member, detail));
        break;
      case 'place':
        settings.place = PLACES.find((place) => place === value) ?? DEFAULT_SETTINGS.place;
        if (value !== null && settings.place !== value) reject(member, 'must be "indoors" or "outdoors"');
        break;
      case 'is_hidden':
        settings.is_hidden = value === true;
        if (typeof value !== 'boolean' && value !== null) reject(member, 'must be true or false');
        break;
      case 'silent_after_seconds':
        settings.silent_after_seconds = typeof value === 'number' ? value : null;
        if (value !== null && !(typeof value === 'number' && value >= 1 && value <= MAX_SILENT_SECONDS))
          reject(member, `must be a number of seconds from 1 to ${MAX_SILENT_SECONDS}, or null`);
        break;
      case 'raw_days':
        settings.raw_days = isRawDays(value) ? value : null;
        if (value !== settings.raw_days)
          reject(
            member,
            `must be a whole number of days from ${LEAST_RAW_DAYS} to ${MOST_RAW_DAYS}, 0 or null`,
          );
        break;
      case 'thresholds':
        settings.thresholds = readThresholds(before.thresholds, value, reject);
        break;
      case 'corrections':
        settings.corrections = readCorrections(value, errors);
        break;
      default:
        reject(member, `is unknown: a sensor has ${MEMBERS.join(', ')}`);
    }
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, change: { settings, name } };
}

function readText(
  value: unknown,
  faultOf: (text: string) => string | null,
  reject: (detail: string) => void,
  convert = (text: string) => text,
): string {
  if (value === null) return '';
  if (typeof value !== 'string') {
    reject('must be text');
    return '';
  }
  const text = convert(value.trim());
  const fault = text === '' ? null : faultOf(text);
  if (fault !== null) reject(fault);
  return text;
}

const noteFault = (text: string) => noteTextFault(text);

/** Removes spaces around the parts of a path, and empty parts: `Home / Upstairs/` becomes `Home/Upstairs`. */
const asPath = (text: string) =>
  text
    .split('/')
    .map((part) => part.trim())
    .filter(Boolean)
    .join('/');

function groupFault(text: string): string | null {
  const { length } = [...text];
  if (length > MAX_GROUP_CHARACTERS) return `has ${length} characters: send at most ${MAX_GROUP_CHARACTERS}`;
  return noteTextFault(text);
}

function readThresholds(
  before: OwnThresholds,
  value: unknown,
  reject: (field: string, detail: string) => void,
): OwnThresholds {
  if (value === null) return {};
  if (!isObject(value)) {
    reject('thresholds', 'must be an object such as {"co2": {"good": 800, "moderate": 1400}}');
    return before;
  }
  const thresholds = { ...before };
  for (const [field, limits] of Object.entries(value)) {
    const path = `thresholds.${field}`;
    const metric = METRICS.find((each) => each.field === field);
    const members = metric && membersOf(metric);
    if (!metric || !members) {
      const known = METRICS.filter((each) => membersOf(each)).map((each) => each.field);
      reject(path, `${metric ? 'has no levels' : 'is unknown'}: send ${known.join(', ')}`);
    } else if (limits === null) {
      delete thresholds[metric.field];
    } else if (!isObject(limits)) {
      reject(path, `must be an object with ${members.join(', ')}, or null`);
    } else {
      const faults = faultsIn(metric, limits, members);
      for (const [member, detail] of faults) reject(member ? `${path}.${member}` : path, detail);
      // The order of the members is fixed, so that equal settings have equal texts.
      const entries = members.flatMap((member) => {
        const limit = limits[member] ?? null;
        return limit === null ? [] : [[member, limit] as const];
      });
      if (faults.length === 0 && entries.length === 0) delete thresholds[metric.field];
      else if (faults.length === 0)
        thresholds[metric.field] = Object.fromEntries(entries) as Threshold | ComfortLimits;
    }
  }
  return inOrder(thresholds);
}

const inOrder = (thresholds: OwnThresholds): OwnThresholds =>
  Object.fromEntries(METRICS.flatMap(({ field }) => (thresholds[field] ? [[field, thresholds[field]]] : [])));

const LEVEL_MEMBERS = ['good', 'moderate'] as const;
/** From cold to warm, or from dry to damp. */
const COMFORT_MEMBERS = ['poor_below', 'from', 'to', 'poor_from'] as const;

/** Returns the members of a metric's own thresholds, in ascending order; undefined if the metric can't have any. */
export function membersOf(metric: Metric): readonly string[] | undefined {
  if (metric.comfort) return COMFORT_MEMBERS;
  return metric.threshold ? LEVEL_MEMBERS : undefined;
}

type Fault = [member: string | null, detail: string];

function faultsIn(metric: Metric, limits: Record<string, unknown>, members: readonly string[]): Fault[] {
  const faults: Fault[] = Object.keys(limits)
    .filter((member) => !members.includes(member))
    .map((member) => [member, `is unknown: send ${members.join(', ')}`]);
  let last: { member: string; value: number } | undefined;
  for (const member of members) {
    const value = limits[member] ?? null;
    if (value === null) {
      if (!metric.comfort) faults.push([member, 'is missing: send a number']);
      continue;
    }
    const isPositive = metric.comfort || (typeof value === 'number' && value > 0);
    if (typeof value !== 'number' || !Number.isFinite(value) || !isPositive || Math.abs(value) >= 1e9) {
      faults.push([member, metric.comfort ? 'must be a number' : 'must be a number above 0']);
      continue;
    }
    if (last && value <= last.value)
      faults.push([member, `must be above ${last.member}, which is ${last.value}`]);
    last = { member, value };
  }
  for (const [outer, inner] of [
    ['poor_below', 'from'],
    ['poor_from', 'to'],
  ] as const) {
    if ((limits[outer] ?? null) !== null && (limits[inner] ?? null) === null)
      faults.push([inner, `is missing beside ${outer}: send where the air is no longer good`]);
  }
  return faults;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
