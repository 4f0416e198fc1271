/** The description of `/api/rooms`. */
import { z } from 'zod';
import type { RoomNumbers } from '../readings/history/room-numbers';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { LEVELS } from '../readings/level/level';
import { METRICS } from '../readings/metric';
import type { RoomNow } from '../readings/now/room-now';
import {
  cacheable,
  example,
  IF_NONE_MATCH,
  invalidParameter,
  parameter,
  type RouteDescription,
  storeFailure,
  unchanged,
} from './operation.server';
import { count, ownThresholds, schemaOf, time } from './schemas.server';

const field = z.enum(METRICS.map(({ field }) => field));
const seconds = z.number().min(0);
const minutes = z.tuple([count, count]);

const roomNow = schemaOf<RoomNow>()(
  'RoomNow',
  'The present state of a room.',
  z.object({
    sensor: z.string(),
    group: z.string().describe('A path such as `School/Floor 2`; empty for no group.'),
    level: z
      .enum(LEVELS)
      .nullable()
      .describe(
        'The worst level of all metrics, or that of `metric` in the request. Old unless `freshness` is `live`.',
      ),
    freshness: z
      .enum(['live', 'stale', 'silent', 'ahead'])
      .describe('`ahead`: the time of the newest reading is in the future.'),
    metric: field.nullable().describe('The metric of `value`.'),
    value: z.number().nullable(),
    cause: field.nullable().describe('The metric that causes the level, if it isn’t `metric`.'),
    is_faulty: z.boolean().describe('True if a value is one that no working sensor reports.'),
    at: time,
    stale_after_seconds: seconds,
    silent_after_seconds: seconds,
    above: z
      .object({ threshold: z.number(), since: time })
      .nullable()
      .describe('The threshold that the value has reached, and since when.'),
    airing: z
      .object({ remaining_minutes: minutes.nullable(), is_enough: z.boolean() })
      .nullable()
      .describe('The airing in progress, of the 50 sensors with the latest readings.'),
    advice: z.string().describe('What to do; empty if there is nothing to do.'),
    line: z
      .array(z.number().nullable())
      .describe('The averages of the last 24 quarters of an hour, up to a minute old; empty without values.'),
    thresholds: ownThresholds.describe('The sensor’s own thresholds.'),
  }),
);

const roomNumbers = schemaOf<RoomNumbers>()(
  'RoomNumbers',
  'One metric’s numbers of a room over a span. Values are null without a measurement.',
  z.object({
    sensor: z.string(),
    group: z.string(),
    average: z.number().nullable(),
    highest: z.number().nullable(),
    highest_at: time.nullable(),
    worst_hour: z.int().min(0).max(23).nullable().describe('The hour of the day with the highest average.'),
    good_seconds: count.nullable(),
    moderate_seconds: count.nullable(),
    poor_seconds: count.nullable().describe('The time in each level; null for a metric without thresholds.'),
    measured_seconds: count,
  }),
);

const MONTH = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const BEDROOM = { sensor: 'Bedroom', group: 'Home/Upstairs', average: 862, highest: 862 };
const LEVEL_TIME = { good_seconds: 300, moderate_seconds: 0, poor_seconds: 0, measured_seconds: 300 };

const { 200: _, ...others } = cacheable('', z.string());

export const rooms: RouteDescription = {
  get: {
    id: 'listRooms',
    summary: 'Returns the present state of all rooms, or their numbers over a span, worst first.',
    description: `With \`from\`, returns the numbers of one metric over the span, extended to whole five minutes: rooms that were not good for longest come first. An answer has at most ${SENSORS_IN_PAGE} rooms.`,
    tag: 'rooms',
    parameters: [
      parameter('group', z.string().max(200), 'Only rooms of this group and its subgroups.'),
      parameter(
        'metric',
        field,
        'Judges and shows only this metric. By default, the present state has the worst level of all metrics, and a span is about `co2`.',
      ),
      parameter(
        'sensor',
        z.array(z.string()),
        'Only these sensors: may be repeated (`sensor=Bedroom&sensor=Office`). Only with a span.',
      ),
      parameter('from', z.string(), 'The start of the span, included: ISO 8601 with an offset or `Z`.'),
      parameter('to', z.string(), 'The end of the span, excluded. By default, now.'),
      parameter(
        'zone',
        z.string(),
        'The time zone of `worst_hour`, such as `Europe/Berlin`. By default UTC. Only with a span.',
      ),
      parameter(
        'format',
        z.enum(['csv', 'json']),
        'The format of a span’s numbers. By default JSON, unless `Accept` prefers `text/csv`.',
      ),
      IF_NONE_MATCH,
    ],
    answers: {
      200: {
        description: 'The rooms. CSV only for a span.',
        content: {
          'application/json': z.union([z.array(roomNow), z.array(roomNumbers)]),
          'text/csv': z.string(),
        },
        headers: ['Airboard-Build', 'Content-Disposition', 'ETag'],
      },
      ...others,
    },
    examples: [
      example(
        'The numbers of a month',
        { query: { ...MONTH, zone: 'Europe/Berlin' } },
        200,
        [
          { ...BEDROOM, highest_at: '2026-01-31T10:00:00.000Z', worst_hour: 11, ...LEVEL_TIME },
          {
            ...BEDROOM,
            sensor: '',
            group: '',
            highest_at: '2026-01-31T11:00:00.000Z',
            worst_hour: 12,
            ...LEVEL_TIME,
          },
        ],
        { type: 'application/json' },
      ),
      unchanged(MONTH),
      invalidParameter({ zone: 'UTC' }, 'zone', 'needs a span: send from too'),
      storeFailure({ query: MONTH }),
    ],
  },
};
