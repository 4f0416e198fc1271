/** The descriptions of `/api/airrohr`, `/api/enviro`, and the addresses of AirGradient and InfluxDB. */
import { z } from 'zod';
import { AIRGRADIENT, AIRROHR, ENVIRO as ENVIRO_NAMES, namesOf } from '../ingest/devices';
import {
  type Answer,
  type Example,
  error,
  example,
  failure,
  GUARDED,
  influxError,
  invalidParameter,
  invalidQuery,
  json,
  NO_TABLE,
  noParameters,
  type Operation,
  type Parameter,
  parameter,
  REFUSALS,
  type RouteDescription,
  refusedPosts,
  WITH_KEY,
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
    'The address for "Send data to custom API". It accepts CO2, PM1, PM2.5, PM4, PM10, temperature, humidity, pressure and noise. The reading gets the server\'s time. The sensor\'s name is `esp8266id`, `esp32id` for other boards, or the header `X-Sensor`. It also takes what programs post to Sensor.Community: `P1`, `P2` and the like.',
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
    example('Readings without a metric', { body: { ...ENVIRO, readings: { gas_resistance: 52134 } } }, 200, {
      stored: 0,
      duplicates: 0,
      refused: 1,
      detail: `The reading is invalid. readings has no value that airboard keeps: ${namesOf(ENVIRO_NAMES)}`,
    }),
  ],
  sent: ENVIRO,
});

const AIR_GRADIENT = {
  ...{ pm01: 3, pm02: 7, pm10: 8, pm02Compensated: 6, atmp: 24.47, rhum: 49, rco2: 447 },
  ...{ tvocIndex: 100, tvocRaw: 33051, noxIndex: 1, noxRaw: 16307, boot: 6, bootCount: 6, wifi: -46 },
};

const SERIAL: Parameter = {
  name: 'serial',
  in: 'path',
  schema: z.string().regex(/^[\w-]+$/),
  description: 'The serial number of the monitor, which names the sensor.',
  required: true,
};

const ofMonitor = (each: Example): Example => ({
  ...each,
  request: { ...each.request, path: { serial: 'ecda3b1eaaaf' } },
});

const monitorPost: Operation = {
  id: 'storeAirGradient',
  tag: 'readings',
  summary: 'Stores a reading from an AirGradient monitor.',
  description:
    "The address that the firmware makes of a server. The reading gets the server's time. The firmware takes only 200 and 429 for a success, so a stored reading gets 200, and so does one that is refused for good, with the reason. The first post after a start has no values.",
  needsKey: true,
  parameters: [SERIAL],
  body: {
    description: 'The firmware’s body, at most 16 KiB. Other members are ignored.',
    content: {
      'application/json': z.looseObject(
        Object.fromEntries(
          Object.values(AIRGRADIENT)
            .flat()
            .map((name) => [name, z.number().optional()]),
        ),
      ),
    },
  },
  answers: {
    200: json('The reading is stored, or is refused for good.', z.union([reading, refusedReport])),
    400: error('The post has a parameter, or its address no serial number.'),
    ...REFUSALS,
    413: error('The body is over 16 KiB.'),
    429: error('Too many readings in a minute, or too many wrong keys.', 'Retry-After'),
    503: error("The store can't be used at the moment.", 'Retry-After'),
  },
  examples: [
    example('All values', { body: AIR_GRADIENT }, 200, {
      ...{ id: 1, co2: 447, voc: null, voc_index: 100, nox_index: 1, pm1: 3, pm25: 6, pm10: 8 },
      ...{ temperature: 24.47, humidity: 49, created_at: '2026-01-02T10:00:00.000Z', sensor: 'ecda3b1eaaaf' },
    }),
    example('The first post after a start', { body: { wifi: -46, boot: 0 } }, 200, {
      ...{ stored: 0, duplicates: 0, refused: 1 },
      detail: `The reading is invalid. rco2 is missing, and so is every other value: ${namesOf(AIRGRADIENT)}`,
    }),
    invalidParameter(
      { sensor: 'Hall' },
      'sensor',
      'is unknown: this address takes no parameters',
      AIR_GRADIENT,
    ),
    ...refusedPosts(AIR_GRADIENT),
  ].map(ofMonitor),
};

const monitorConfig: Operation = {
  id: 'getAirGradientConfiguration',
  tag: 'readings',
  summary: 'Tells an AirGradient monitor that there is nothing to configure.',
  description: 'The firmware asks once a minute, unless its `configurationControl` is `local`.',
  parameters: [SERIAL],
  answers: {
    200: json('An answer that changes nothing on the monitor.', z.array(z.never())),
    400: error('The address has a parameter.'),
  },
  examples: [example('Any monitor', {}, 200, []), noParameters('sensor', 'Hall')].map(ofMonitor),
};

const monitorFirmware: Operation = {
  id: 'getAirGradientFirmware',
  tag: 'readings',
  summary: 'Tells an AirGradient monitor that its firmware is up to date.',
  description: 'airboard has no firmware for it. The firmware asks after a start and once an hour.',
  parameters: [SERIAL, parameter('current_firmware', z.string(), 'The version on the monitor.')],
  answers: {
    304: { description: 'There is nothing to install.' },
    400: error('A parameter is unknown or given twice.'),
  },
  examples: [
    example('Any version', { query: { current_firmware: '3.6.5' } }, 304, null),
    invalidParameter({ version: '3.6.5' }, 'version', 'is unknown: use current_firmware'),
  ].map(ofMonitor),
};

/** The addresses that AirGradient's firmware uses, by their paths. */
export const airGradient: Record<string, RouteDescription> = {
  '/sensors/airgradient:{serial}/measures': { post: monitorPost },
  '/sensors/airgradient:{serial}/one/config': { get: monitorConfig },
  '/sensors/airgradient:{serial}/generic/os/firmware.bin': { get: monitorFirmware },
};

const LINES = 'air,sensor=Kitchen co2=612,temperature=21.4 1767348000000000000';
const influxMembers = (code: string, detail: string) => ({
  members: { code, message: detail, error: detail },
});
const WRONG_PRECISION = 'must be one of ns, n, us, u, ms, s, m, h';
const NOT_STORED = `${NO_TABLE} 0 readings of this post are stored. Send all of it again: no reading is stored twice.`;
const NO_KEY =
  'The write key is missing: send it as "Authorization: Bearer KEY", or as the password of Basic authentication.';
const OTHER_SITE = "Pages of other sites can't do this. Add the page's origin to ALLOWED_ORIGINS to let it.";
const TOO_MANY =
  'This address has sent more than 3 readings in a minute. Try again in 42 s, or raise POSTS_PER_MINUTE.';

/** @param id of the operation */
const linesPost = (id: string): { post: Operation } => ({
  post: {
    id,
    tag: 'readings',
    summary: "Stores readings in InfluxDB's line protocol.",
    description:
      'For Telegraf and other programs that write to InfluxDB 1 (`/write`) or 2 (`/api/v2/write`). The sensor is the first tag of `SENSOR_TAG` that a line has. Fields are named as in imports, with their unit if it is another one: `co2`, `temperature_f`. Lines of the same sensor and time make one reading. Numbers that are no metrics are ignored. The key is also taken as `Authorization: Token KEY`, and as `p`.',
    needsKey: true,
    parameters: [
      parameter(
        'precision',
        z.enum(['ns', 'n', 'us', 'u', 'ms', 's', 'm', 'h']),
        'The unit of the times. By default `ns`. A line without a time gets the server’s.',
      ),
      ...['org', 'orgID', 'bucket', 'bucketID', 'db', 'rp', 'consistency', 'u'].map((name) =>
        parameter(name, z.string(), 'Means nothing to airboard.'),
      ),
      parameter('p', z.string(), 'The write key, as the password of InfluxDB 1.'),
    ],
    body: {
      description: 'Lines of UTF-8, at most 2 MiB, also as gzip.',
      content: { 'text/plain': z.string() },
    },
    answers: {
      204: { description: 'All readings are stored.', headers: ['Airboard-Build'] },
      400: influxError('A parameter or a line is wrong. Valid lines are stored; `errors` names the others.'),
      401: influxError('The write key is missing or wrong.', 'WWW-Authenticate'),
      403: influxError('The request comes from a page of another site.'),
      413: influxError('The body is over 2 MiB, or has more readings than `POSTS_PER_MINUTE`.'),
      429: influxError('Too many readings in a minute, or too many wrong keys.', 'Retry-After'),
      503: influxError("The store can't be used at the moment, or times are ahead.", 'Retry-After'),
    },
    examples: [
      example('Two values', { body: LINES }, 204, null),
      failure(
        'A line that is no line protocol',
        { body: `${LINES}\nco2 is 612` },
        400,
        'partial write: 0 stored, 1 refused. Line 2: line is not line protocol, such as air,sensor=kitchen co2=612 1772359500000000000.',
        {
          members: {
            stored: 0,
            duplicates: 1,
            refused: 1,
            errors: [
              {
                line: 2,
                errors: [
                  {
                    field: 'line',
                    detail: 'is not line protocol, such as air,sensor=kitchen co2=612 1772359500000000000',
                  },
                ],
              },
            ],
            ...influxMembers(
              'invalid',
              'partial write: 0 stored, 1 refused. Line 2: line is not line protocol, such as air,sensor=kitchen co2=612 1772359500000000000.',
            ).members,
          },
        },
      ),
      failure(
        'A wrong `precision`',
        { query: { precision: 'd' }, body: LINES },
        400,
        'The query is invalid.',
        {
          members: {
            errors: [{ field: 'precision', detail: WRONG_PRECISION }],
            ...influxMembers('invalid', `The query is invalid. precision ${WRONG_PRECISION}`).members,
          },
        },
      ),
      failure('Without the key', { body: LINES }, 401, NO_KEY, {
        settings: GUARDED,
        ...influxMembers('unauthorized', NO_KEY),
      }),
      failure(
        'From a page of another site',
        { headers: { Origin: 'https://other.example' }, body: LINES },
        403,
        OTHER_SITE,
        influxMembers('forbidden', OTHER_SITE),
      ),
      failure('Too many readings in a minute', { headers: WITH_KEY, body: LINES }, 429, TOO_MANY, {
        settings: GUARDED,
        isRepeated: true,
        ...influxMembers('too many requests', TOO_MANY),
      }),
      failure("While the store can't be used", { body: LINES }, 503, NOT_STORED, {
        isWithoutStore: true,
        members: {
          ...{ stored: 0, duplicates: 0, refused: 0, errors: [] },
          ...influxMembers('unavailable', NOT_STORED).members,
        },
      }),
    ],
  },
});

export const influx = linesPost('writeLines');
export const influx2 = linesPost('writeLines2');
