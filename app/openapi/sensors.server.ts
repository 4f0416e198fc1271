/** The description of `/api/sensors`. */
import { z } from 'zod';
import { MAX_SENSORS } from '../readings/known-sensors';
import { DEFAULT_SETTINGS } from '../readings/sensor-settings';
import { STORED } from './data.server';
import {
  error,
  example,
  failure,
  GUARDED,
  invalidParameter,
  invalidQuery,
  json,
  noRead,
  noStore,
  parameter,
  REFUSALS,
  type RouteDescription,
  refused,
  SENSOR,
  SENSOR_PAGE,
  storeFailure,
  WITH_KEY,
} from './operation.server';
import { sensorSummary, settingsSent } from './schemas.server';

const NAMED = { sensor: 'Bedroom' };

const UNNAMED_TIMES = { first_heard: '2026-01-31T09:59:45.000Z', last_heard: '2026-11-22T10:00:00.000Z' };

const BEDROOM_SENSOR = {
  name: 'Bedroom',
  newest: STORED,
  first_heard: STORED.created_at,
  last_heard: STORED.created_at,
  ...DEFAULT_SETTINGS,
};

const OWN = {
  group: 'Home/Upstairs',
  note: 'shelf beside the door',
  thresholds: { temperature: { from: 18, to: 26, poor_from: 30 } },
};

export const sensors: RouteDescription = {
  get: {
    id: 'listSensors',
    summary: 'Lists the sensors with their newest readings.',
    description:
      'The sensor with the newest reading comes first. A server with more sensors than `limit` lists them in pages, in the order of their names.',
    tag: 'readings',
    parameters: [
      ...SENSOR_PAGE,
      parameter(
        'newest',
        z.int().min(1).max(MAX_SENSORS),
        'Only this many sensors, those with the newest readings of all. Not together with `limit` or `after`.',
      ),
      parameter('sensor', SENSOR.schema, 'With `newest`: lists this sensor too.'),
    ],
    answers: {
      200: json('A page of the sensors that have readings.', z.array(sensorSummary), 'Link'),
      400: invalidQuery,
      503: noRead,
    },
    examples: [
      example('All sensors', {}, 200, [
        {
          name: '',
          newest: { id: 1, co2: 415, voc: 120, created_at: UNNAMED_TIMES.last_heard },
          ...UNNAMED_TIMES,
          ...DEFAULT_SETTINGS,
        },
        BEDROOM_SENSOR,
      ]),
      example('The sensors after the unnamed one', { query: { after: '' } }, 200, [BEDROOM_SENSOR]),
      invalidParameter({ limit: '0' }, 'limit', 'must be a whole number from 1 to 5000'),
      storeFailure({}),
    ],
  },
  patch: {
    id: 'changeSensor',
    summary: "Changes a sensor's settings and its name.",
    description:
      'Members that are left out stay, and null restores a default; in `thresholds`, each metric is a member of its own, and `corrections` are replaced. A new name keeps the history, and a device that goes on posting under the old name posts to the new one. If another sensor has the name, `merge=true` gives it the readings and notes; it keeps its own settings.',
    tag: 'readings',
    needsKey: true,
    parameters: [
      { ...SENSOR, required: true },
      parameter('merge', z.enum(['true', 'false']), 'True to merge with the sensor that has the new name.'),
    ],
    body: { description: 'The members to change.', content: { 'application/json': settingsSent } },
    answers: {
      200: json('The sensor is changed.', sensorSummary),
      400: error('The query or a member is invalid. `errors` names each field.'),
      ...REFUSALS,
      404: error('There are no readings of this sensor.'),
      409: error(
        'Another sensor has the name. With `merge=true`: both have readings at the same times, as many as `conflicts`.',
      ),
      413: error('The body is over 16 KiB.'),
      429: error('Too many requests in a minute, or too many wrong keys.', 'Retry-After'),
      503: noStore,
    },
    examples: [
      example('A group, a note and thresholds', { query: NAMED, body: OWN }, 200, {
        ...BEDROOM_SENSOR,
        ...OWN,
      }),
      example(
        'A correction of the temperature',
        {
          query: NAMED,
          body: { corrections: [{ metric: 'temperature', offset: -0.5, from: STORED.created_at }] },
        },
        200,
        {
          ...BEDROOM_SENSOR,
          ...OWN,
          corrections: [{ metric: 'temperature', offset: -0.5, factor: 1, from: STORED.created_at }],
        },
      ),
      failure('A wrong place', { query: NAMED, body: { place: 'garage' } }, 400, 'The change is invalid.', {
        members: { errors: [{ field: 'place', detail: 'must be "indoors" or "outdoors"' }] },
      }),
      invalidParameter({ sensor: 'Bedroom', merge: 'yes' }, 'merge', 'must be true or false', OWN),
      failure(
        'An unknown sensor',
        { query: { sensor: 'Attic' }, body: OWN },
        404,
        'There are no readings of the sensor "Attic".',
      ),
      failure(
        'A name that another sensor has',
        { query: { sensor: '' }, body: { name: 'Bedroom' } },
        409,
        'The sensor "Bedroom" exists already. Choose another name, or add merge=true to give it the readings.',
      ),
      failure(
        'A body that is too large',
        { query: NAMED, body: { note: 'x'.repeat(20_000) } },
        413,
        'The body is over 16 KiB. Send one change at a time.',
      ),
      ...refused(OWN, GUARDED),
      failure(
        'Too many requests in a minute',
        { query: NAMED, headers: WITH_KEY, body: OWN },
        429,
        'This address has sent more than 3 readings in a minute. Try again in 42 s, or raise POSTS_PER_MINUTE.',
        { settings: GUARDED, isRepeated: true },
      ),
      storeFailure({ query: NAMED, body: OWN }),
    ],
  },
};
