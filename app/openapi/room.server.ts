/** The descriptions of `/api/ventilation` and `/api/airings`. */
import { z } from 'zod';
import { ROOM_DAYS } from '../readings/room/ventilation';
import type { AiringAnswer, VentilationAnswer } from '../readings/room/ventilation-answer';
import {
  cacheable,
  example,
  IF_NONE_MATCH,
  invalidParameter,
  parameter,
  type RouteDescription,
  SPAN,
  storeFailure,
  unchanged,
} from './operation.server';
import { count, schemaOf, time } from './schemas.server';

const minutes = z.tuple([count, count]);

const grams = z.number();

const moisture = z
  .object({
    absolute_humidity: grams.describe('Water in the newest air, in g/m³.'),
    absolute_humidity_error: grams.describe('Its error with a usual hygrometer (3 % and 0.3 °C).'),
    dew_point: z.number().nullable().describe('In °C.'),
    outdoor_absolute_humidity: grams.nullable(),
    airing_will: z
      .enum(['dry', 'moisten'])
      .nullable()
      .describe('Null if the humidity outdoors is unknown, or the difference is within the error.'),
    mould: z
      .object({
        wall_humidity: z.int().describe('Relative humidity at the coldest wall in percent, by DIN 4108-2.'),
        wall_humidity_error: z.int(),
        hours: count.describe('The hours of the last day with 80 % or more at that wall.'),
        of_hours: count.describe('The hours of the last day with readings.'),
        risk: z.enum(['none', 'possible', 'likely']),
      })
      .nullable()
      .describe('The risk of mould. Null without an outdoor temperature, or with fewer than 12 hours.'),
    airing: z
      .object({ since: time, from_g_m3: grams, to_g_m3: grams, is_enough: z.boolean() })
      .nullable()
      .describe(
        'The airing in progress, where CO2 isn’t measured. If `is_enough` is true, the air gets no drier.',
      ),
  })
  .nullable()
  .describe('What temperature and humidity say about the room. Null without current values of both.');

const outdoors = z
  .object({
    sensor: z.string(),
    at: time.nullable().describe('Its last reading within a week.'),
    is_current: z.boolean().describe('False if that is older than an hour. The values are then null.'),
    co2: z.number().nullable(),
    pm25: z.number().nullable(),
    temperature: z.number().nullable(),
    humidity: z.number().nullable(),
  })
  .nullable()
  .describe('The air outdoors, by `OUTDOOR_SENSOR`; averages of 15 minutes. Null without the setting.');

const ventilation = schemaOf<VentilationAnswer>()(
  'Ventilation',
  'The findings about a sensor and its room. Unknown values are null, and `reasons` explains them.',
  z.object({
    sensor: z.string(),
    at: time,
    believable: z
      .boolean()
      .nullable()
      .describe(
        'False if the sensor doesn’t measure CO2 or its values are wrong; null if it isn’t judged yet or its readings are inconclusive.',
      ),
    reasons: z
      .array(z.string())
      .describe(
        'Sentences that begin with `Sensor: `, `Room: `, `Air changes: `, `Airing: `, `Forecast: ` or `Outdoors: `. With one about the room, nothing else is said about it, as in the first day of a sensor.',
      ),
    offered_offset: z
      .int()
      .nullable()
      .describe('PPM to add to the sensor’s CO2, so that its lowest values match outdoor air.'),
    air_changes: z
      .object({ median: z.number(), lowest: z.number(), highest: z.number(), decays: count })
      .nullable()
      .describe(
        'Air changes an hour with the windows closed, and the number of decays that they are computed from.',
      ),
    airing: z
      .object({
        since: time,
        from_ppm: z.int(),
        remaining_minutes: minutes.nullable(),
        ends_at_ppm: z
          .int()
          .nullable()
          .describe(
            'The CO2 at which the fall ends, because people add so much that the target is not reached.',
          ),
        is_enough: z.boolean().describe('True in good air, at the target or where CO2 falls no further.'),
      })
      .nullable()
      .describe('The airing in progress. If `is_enough` is true, the window can be closed.'),
    usual_airing_minutes: minutes
      .nullable()
      .describe(
        'How long airing takes in this room, from the current CO2 or the good threshold, whichever is higher.',
      ),
    forecast: z
      .object({ threshold: z.number(), minutes })
      .nullable()
      .describe(
        'When CO2 will reach the good threshold; only if such forecasts have been right in this room.',
      ),
    rebreathed: z
      .number()
      .nullable()
      .describe('The fraction of inhaled air that somebody has breathed out before.'),
    moisture,
    outdoors,
  }),
);

const airing = schemaOf<AiringAnswer>()(
  'Airing',
  'A time in which CO2, or the humidity where CO2 isn’t measured, fell so fast that a window must have been open.',
  z.object({
    from: time,
    to: time.nullable().describe('Null while the airing lasts.'),
    from_ppm: z.int().nullable(),
    to_ppm: z.int().nullable(),
    air_changes_per_hour: z.number().nullable(),
    from_g_m3: grams
      .nullable()
      .describe(
        'Absolute humidity, for an airing found in the humidity. Those found in CO2 have the values above.',
      ),
    to_g_m3: grams.nullable(),
  }),
);

const MONTH = { sensor: 'Bedroom', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const THEN = { sensor: 'Bedroom', at: '2026-02-01T00:00:00Z' };

export const ventilationRoute: RouteDescription = {
  get: {
    id: 'getVentilation',
    summary:
      'Returns findings about a room from its CO2 and humidity: its ventilation, and when to close the window.',
    description: `They are computed from the readings of the last ${ROOM_DAYS} days. docs/window.md explains them.`,
    tag: 'rooms',
    parameters: [
      ...SPAN.slice(0, 1),
      parameter(
        'at',
        z.string(),
        'Returns the answer for this time, computed only from earlier readings. By default now.',
      ),
      IF_NONE_MATCH,
    ],
    answers: cacheable('What is known.', ventilation),
    examples: [
      example('After the first reading', { query: THEN }, 200, {
        sensor: 'Bedroom',
        at: '2026-02-01T00:00:00.000Z',
        believable: null,
        reasons: [
          'Sensor: 3 days with readings of 6 hours are needed to judge it, and there are 0.',
          'Room: not known yet: 24 hours of readings are needed, and the last 28 days have 0.',
        ],
        offered_offset: null,
        air_changes: null,
        airing: null,
        usual_airing_minutes: null,
        forecast: null,
        rebreathed: null,
        moisture: null,
        outdoors: null,
      }),
      unchanged(THEN),
      invalidParameter(
        { at: 'yesterday' },
        'at',
        'must be a time like 2026-11-21T00:00:00Z or 2026-11-21T00:00:00+01:00, not "yesterday"',
      ),
      storeFailure({ query: THEN }, "The database can't be used: no such table: roll_ups."),
    ],
  },
};

export const airings: RouteDescription = {
  get: {
    id: 'getAirings',
    summary: 'Returns the airings that touch a span, oldest first.',
    description:
      'Airings are found in the curve of CO2, or of absolute humidity where CO2 isn’t measured, and stored by day. A sensor that estimates CO2, or that has readings of less than a day, has none: `/api/ventilation` says so. After an import of years of readings, the answer is 503 with `Retry-After` for some seconds.',
    tag: 'rooms',
    parameters: [...SPAN, IF_NONE_MATCH],
    answers: cacheable('The airings.', z.array(airing)),
    examples: [
      example('The airings of a month', { query: MONTH }, 200, []),
      unchanged(MONTH),
      invalidParameter(
        { from: 'yesterday' },
        'from',
        'must be a time like 2026-11-21T00:00:00Z or 2026-11-21T00:00:00+01:00, not "yesterday"',
      ),
      storeFailure({ query: MONTH }, "The database can't be used: no such table: roll_ups."),
    ],
  },
};
