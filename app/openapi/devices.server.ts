/** The descriptions of `/api/airrohr` and `/api/enviro`. */
import { z } from 'zod';
import { AIRROHR, ENVIRO as ENVIRO_NAMES, namesOf } from '../ingest/devices';
import {
  type Answer,
  type Example,
  error,
  example,
  failure,
  invalidParameter,
  invalidQuery,
  json,
  type Operation,
  parameter,
  REFUSALS,
  refusedPosts,
} from './operation.server';
import { reading, refusedReport, sensorName } from './schemas.server';

const AIR_ROHR = {
  esp8266id: '10677322',
  software_version: 'NRZ-2024-135',
  sensordatavalues: [
    { value_type: 'SDS_P2', value: '6.37' },
    { value_type: 'BME280_temperature', value: '22.15' },
    { value_type: 'SCD30_co2_ppm', value: '512.00' },
  ],
};

const ENVIRO = {
  nickname: 'Study',
  uid: 'e6614c775b8c4035',
  model: 'indoor',
  timestamp: '2026-01-31T10:00:00Z',
  readings: { temperature: 21.57, scd_co2: 640.5 },
};

const STUDY = {
  id: 1,
  co2: 640.5,
  voc: null,
  temperature: 21.57,
  created_at: '2026-01-31T10:00:00.000Z',
  sensor: 'Study',
};

interface Device extends Pick<Operation, 'id' | 'summary' | 'description'> {
  body: z.ZodType;
  answers: Record<number, Answer>;
  examples: Example[];
  /** The body of the refused example requests. */
  sent: object;
}

const devicePost = ({ body, answers, examples, sent, ...texts }: Device): { post: Operation } => ({
  post: {
    ...texts,
    tag: 'readings',
    needsKey: true,
    parameters: [
      parameter('sensor', sensorName, 'The name of the sensor. By default, the name that the device sends.'),
    ],
    body: {
      description: 'The firmware’s body, at most 16 KiB. Other members are ignored.',
      content: { 'application/json': body },
    },
    answers: {
      201: json('The reading is stored.', reading),
      ...answers,
      ...REFUSALS,
      413: error('The body is over 16 KiB.'),
      429: error('Too many readings in a minute, or too many wrong keys.', 'Retry-After'),
      503: error("The store can't be used at the moment, or the reading's time is ahead.", 'Retry-After'),
    },
    examples: [
      ...examples,
      invalidParameter({ sensr: 'Balcony' }, 'sensr', 'is unknown: use sensor', sent),
      ...refusedPosts(sent),
    ],
  },
});

export const airrohr = devicePost({
  id: 'storeAirRohr',
  summary: 'Stores a reading from a Sensor.Community airRohr.',
  description:
    'The address for "Send data to custom API". It accepts CO2, PM2.5, PM10, temperature, humidity and pressure. The reading gets the server\'s time. The sensor\'s name is `esp8266id`, `esp32id` for other boards, or the header `X-Sensor`. It also takes what programs post to Sensor.Community: `P1`, `P2` and the like.',
  body: z.looseObject({
    esp8266id: z.string().optional(),
    esp32id: z.string().optional(),
    sensordatavalues: z.array(z.object({ value_type: z.string(), value: z.union([z.string(), z.number()]) })),
  }),
  answers: { 400: error('There is no metric, one is invalid, or a parameter is unknown or given twice.') },
  examples: [
    example('Values of several sensors', { body: AIR_ROHR }, 201, {
      id: 1,
      co2: 512,
      voc: null,
      pm25: 6.37,
      temperature: 22.15,
      created_at: '2026-01-02T10:00:00.000Z',
      sensor: '10677322',
    }),
    failure(
      'Values without a metric',
      { body: { ...AIR_ROHR, sensordatavalues: [{ value_type: 'signal', value: '-68' }] } },
      400,
      'The reading is invalid.',
      {
        members: {
          errors: [
            {
              field: 'sensordatavalues',
              detail: `has no value that airboard keeps: ${namesOf(AIRROHR)}`,
            },
          ],
        },
      },
    ),
  ],
  sent: AIR_ROHR,
});

export const enviro = devicePost({
  id: 'storeEnviro',
  summary: 'Stores a reading from a Pimoroni Enviro.',
  description:
    'The address for its "custom HTTP endpoint". It accepts the values of Enviro Indoor and Urban that airboard has a metric for, and CO2 as `co2`, `scd_co2` or `scd41_co2`. An Enviro repeats a refused reading before it sends others, so a reading that is refused for good gets a 200 with the reason. One whose time is up to a day ahead gets a 503, and is stored when the board repeats it.',
  body: z.looseObject({
    nickname: z.string().nullable(),
    uid: z.string(),
    timestamp: z.string(),
    readings: z.record(z.string(), z.number()),
  }),
  answers: {
    200: json('The reading is a duplicate, or is refused for good.', z.union([reading, refusedReport])),
    400: invalidQuery,
  },
  examples: [
    example('Readings with CO2', { body: ENVIRO }, 201, STUDY),
    example('The same again', { body: ENVIRO }, 200, STUDY),
    example('Readings without a metric', { body: { ...ENVIRO, readings: { luminance: 120 } } }, 200, {
      stored: 0,
      duplicates: 0,
      refused: 1,
      detail: `The reading is invalid. readings has no value that airboard keeps: ${namesOf(ENVIRO_NAMES)}`,
    }),
  ],
  sent: ENVIRO,
});
