import { z } from 'zod';
import { GUARDED, TOO_MANY_READINGS } from './data.server';
import {
  type Answer,
  type Example,
  error,
  invalidParameter,
  invalidQuery,
  MISSING_KEY,
  type Operation,
  OTHER_SITE,
  parameter,
  problemBody,
  type RouteDescription,
  storeFailure,
} from './operation.server';
import { reading, refusedReport, sensorName } from './schemas.server';

const AIR_ROHR = {
  esp8266id: '10677322',
  software_version: 'NRZ-2024-135',
  sensordatavalues: [
    { value_type: 'SCD30_temperature', value: '22.15' },
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

const STUDY = { id: 1, co2: 640.5, voc: null, created_at: '2026-01-31T10:00:00.000Z', sensor: 'Study' };

const SENSOR = parameter(
  'sensor',
  sensorName,
  'The name of the sensor. By default, the one that the device sends.',
);

const REFUSALS: Record<number, Answer> = {
  401: error('The write key is missing or wrong.', 'WWW-Authenticate'),
  403: error('The request comes from a page of another site.'),
  413: error('The body is over 16 KiB.'),
  429: error('Too many readings in a minute, or a pause after wrong keys.', 'Retry-After'),
  503: error("The store can't be used at the moment.", 'Retry-After'),
};

const STORED: Answer = {
  description: 'The reading is stored.',
  content: { 'application/json': reading },
  headers: ['Airboard-Build'],
};

const refusalsOf = (body: object): Example[] => [
  invalidParameter({ sensr: 'Balcony' }, 'sensr', 'is unknown: use sensor', { body }),
  { ...MISSING_KEY, request: { body }, settings: GUARDED },
  { ...OTHER_SITE, request: { ...OTHER_SITE.request, body } },
  { ...TOO_MANY_READINGS, request: { ...TOO_MANY_READINGS.request, body } },
  storeFailure({ body }),
];

const postAirRohr: Operation = {
  id: 'storeAirRohr',
  summary: 'Stores a reading of an airRohr of Sensor.Community.',
  description:
    'The address for "Send data to custom API". CO2 is that of an SCD30; there is no VOC. The reading gets the server\'s time, and the sensor the name `esp8266id` or, of other boards, `esp32id`.',
  tag: 'readings',
  needsKey: true,
  parameters: [SENSOR],
  body: {
    description: 'The firmware’s body, at most 16 KiB. Other members are ignored.',
    content: {
      'application/json': z.looseObject({
        esp8266id: z.string().optional(),
        esp32id: z.string().optional(),
        sensordatavalues: z.array(z.object({ value_type: z.string(), value: z.string() })),
      }),
    },
  },
  answers: {
    201: STORED,
    400: error('There is no CO2, it is invalid, or a parameter is unknown or given twice.'),
    ...REFUSALS,
  },
  examples: [
    {
      title: 'Values with CO2',
      request: { body: AIR_ROHR },
      status: 201,
      answer: { id: 1, co2: 512, voc: null, created_at: '2026-01-02T10:00:00.000Z', sensor: '10677322' },
    },
    {
      title: 'Values without CO2',
      request: {
        body: { ...AIR_ROHR, sensordatavalues: [{ value_type: 'SDS_P1', value: '8.43' }] },
      },
      status: 400,
      answer: problemBody(400, 'Bad Request', 'The reading is invalid.', {
        errors: [
          {
            field: 'sensordatavalues',
            detail: 'has no SCD30_co2_ppm: airboard needs CO2, which airRohr measures with an SCD30',
          },
        ],
      }),
    },
    ...refusalsOf(AIR_ROHR),
  ],
};

const postEnviro: Operation = {
  id: 'storeEnviro',
  summary: 'Stores a reading of a Pimoroni Enviro.',
  description:
    'The address for its "custom HTTP endpoint". CO2 is `co2`, `scd_co2` or `scd41_co2`, VOC `voc` or `tvoc`. An Enviro keeps repeating a refused reading before all others, so a reading that will never be accepted is answered with 200 and a report that says why.',
  tag: 'readings',
  needsKey: true,
  parameters: [SENSOR],
  body: {
    description: 'The firmware’s body, at most 16 KiB. Other members are ignored.',
    content: {
      'application/json': z.looseObject({
        nickname: z.string().nullable(),
        uid: z.string(),
        timestamp: z.string(),
        readings: z.record(z.string(), z.number()),
      }),
    },
  },
  answers: {
    200: {
      description: 'The reading is a duplicate, or will never be accepted.',
      content: { 'application/json': z.union([reading, refusedReport]) },
      headers: ['Airboard-Build'],
    },
    201: STORED,
    400: invalidQuery,
    ...REFUSALS,
  },
  examples: [
    { title: 'Readings with CO2', request: { body: ENVIRO }, status: 201, answer: STUDY },
    { title: 'The same again', request: { body: ENVIRO }, status: 200, answer: STUDY },
    {
      title: 'Readings without CO2 and VOC',
      request: { body: { ...ENVIRO, readings: { temperature: 21.57 } } },
      status: 200,
      answer: {
        stored: 0,
        duplicates: 0,
        refused: 1,
        detail:
          'The reading is invalid. readings has neither CO2 (co2, scd_co2, scd41_co2) nor VOC (voc, tvoc)',
      },
    },
    ...refusalsOf(ENVIRO),
  ],
};

export const airrohr: RouteDescription = { post: postAirRohr };

export const enviro: RouteDescription = { post: postEnviro };
