import { expect, test } from 'vitest';
import { airRohr, enviro, translateAirGradient } from '../../app/ingest/devices';

const HOSTILE = [null, 1, 'text', [], [[]], {}, { sensordatavalues: 'x' }, { readings: [1], nickname: {} }];

test.each([
  ['airRohr', airRohr.translate],
  ['Enviro', enviro.translate],
  ['AirGradient', translateAirGradient],
])('%s: rejects bodies that the device never sends, with a reason', (_, translate) => {
  for (const sent of [...HOSTILE, { sensordatavalues: [null, 1, [], { value_type: 1 }] }]) {
    expect(translate(sent)).toEqual({
      ok: false,
      errors: [{ field: expect.any(String), detail: expect.stringMatching(/\w/) }],
    });
  }
});

test('AirGradient: reads all metrics, compensated values before raw ones', () => {
  const sent = {
    ...{ wifi: -46, serialno: 'ecda3b1eaaaf', rco2: 447, pm01: 3, pm02: 7, pm10: 8, pm003Count: 442 },
    ...{ atmp: 25.87, atmpCompensated: 24.47, rhum: 43, rhumCompensated: 49, pm02Compensated: 6 },
    ...{ tvocIndex: 100, tvocRaw: 33051, noxIndex: 1, noxRaw: 16307, boot: 6, model: 'I-9PSL' },
  };
  const value = {
    co2: 447,
    voc: null,
    voc_index: 100,
    nox_index: 1,
    pm1: 3,
    pm25: 6,
    pm10: 8,
    temperature: 24.47,
    humidity: 49,
  };
  expect(translateAirGradient(sent)).toEqual({ ok: true, value: { ...value, sensor: 'ecda3b1eaaaf' } });
  const { atmpCompensated, rhumCompensated, pm02Compensated, rco2, ...raw } = sent;
  expect(translateAirGradient(raw, 'Kitchen')).toMatchObject({
    value: { co2: null, pm25: 7, temperature: 25.87, humidity: 43, sensor: 'Kitchen' },
  });
});

/** Values of airRohr for each sensor that the firmware supports, as sent. */
const valuesOf = (values: Record<string, string>) =>
  Object.entries(values).map(([value_type, value]) => ({ value_type, value }));

test.each([
  [
    'SDS011 and BME280',
    {
      SDS_P1: '14.07',
      SDS_P2: '6.37',
      BME280_temperature: '21.40',
      BME280_pressure: '100321.25',
      BME280_humidity: '46.02',
      samples: '4967420',
      signal: '-68',
    },
    {
      co2: null,
      voc: null,
      pm10: '14.07',
      pm25: '6.37',
      temperature: '21.40',
      pressure: 1003.2125,
      humidity: '46.02',
    },
  ],
  [
    'SPS30 and DHT22',
    {
      SPS30_P0: '4.11',
      SPS30_P2: '5.90',
      SPS30_P4: '6.33',
      SPS30_P1: '6.55',
      SPS30_TS: '0.61',
      temperature: '20.90',
      humidity: '51.30',
    },
    {
      ...{ co2: null, voc: null, pm1: '4.11', pm4: '6.33', pm10: '6.55', pm25: '5.90' },
      ...{ temperature: '20.90', humidity: '51.30' },
    },
  ],
  [
    'SCD30',
    { SCD30_temperature: '22.15', SCD30_humidity: '41.10', SCD30_co2_ppm: '512.00' },
    { co2: '512.00', voc: null, temperature: '22.15', humidity: '41.10' },
  ],
  [
    'SCD30 and BME280',
    { SCD30_temperature: '24.15', SCD30_co2_ppm: '512.00', BME280_temperature: '21.40' },
    { co2: '512.00', voc: null, temperature: '21.40' },
  ],
  [
    "Sensor.Community's own format",
    {
      P0: '3.1',
      P1: '14.07',
      P2: '6.37',
      co2_ppm: '512',
      temperature: '21.4',
      humidity: '46',
      pressure: '98765',
    },
    {
      ...{ co2: '512', voc: null, pm1: '3.1', pm10: '14.07', pm25: '6.37' },
      ...{ temperature: '21.4', humidity: '46', pressure: 987.65 },
    },
  ],
  [
    'DNMS',
    { DNMS_noise_LAeq: '41.20', DNMS_noise_LA_min: '38.10', DNMS_noise_LA_max: '57.90' },
    { co2: null, voc: null, noise: '41.20' },
  ],
  [
    'a program that sends pressure in hPa',
    { P2: '6.37', pressure: '987.65' },
    { co2: null, voc: null, pm25: '6.37', 'pressure that is not in Pa': '987.65' },
  ],
])('airRohr: reads the values of %s', (_, sent, value) => {
  expect(
    airRohr.translate({
      esp8266id: '10677322',
      software_version: 'NRZ-2024-135',
      sensordatavalues: valuesOf(sent),
    }),
  ).toEqual({ ok: true, value: { ...value, sensor: '10677322' } });
});

test.each(['nan', '', ' '])(
  'airRohr: a value %j leaves the others, and another sensor takes its place',
  (nothing) => {
    const sensordatavalues = valuesOf({
      SDS_P2: '6.37',
      BME280_temperature: nothing,
      BME280_pressure: nothing,
      temperature: '21.40',
    });
    expect(airRohr.translate({ esp32id: '1', sensordatavalues })).toEqual({
      ok: true,
      value: { co2: null, voc: null, pm25: '6.37', temperature: '21.40', sensor: '1' },
    });
    expect(airRohr.translate({ sensordatavalues: valuesOf({ SDS_P2: nothing }) })).toMatchObject({
      ok: false,
    });
  },
);

test.each([
  [{ esp32id: '240ac4' }, '240ac4'],
  [{ 'raspi-id': '10677' }, '10677'],
  [{ ssid: 'home', software_version: 'x' }, undefined],
])('airRohr: the sensor of %j is %s', (members, sensor) => {
  const sensordatavalues = [{ value_type: 'SCD30_co2_ppm', value: '512.00' }];
  expect(airRohr.translate({ ...members, sensordatavalues })).toMatchObject({ value: { sensor } });
});

const ENVIRO = {
  nickname: 'gecko-tank-7',
  timestamp: '2026-01-02T10:00:00Z',
  model: 'indoor',
  uid: 'e6614c775b8c4035',
};

test.each([
  [{ co2: 862.5 }, { co2: 862.5, voc: null }],
  // Enviro Indoor, and Enviro Urban.
  [
    {
      temperature: 21.6,
      humidity: 44.2,
      pressure: 1004.1,
      gas_resistance: 52_134,
      aqi: 41.6,
      luminance: 120,
    },
    { co2: null, voc: null, temperature: 21.6, humidity: 44.2, pressure: 1004.1, light: 120 },
  ],
  [
    { temperature: 12.1, humidity: 71, pressure: 1004.1, noise: 0.12, pm1: 3, pm2_5: 5, pm10: 6 },
    { co2: null, voc: null, temperature: 12.1, humidity: 71, pressure: 1004.1, pm1: 3, pm25: 5, pm10: 6 },
  ],
  [
    { scd_co2: 862, scd_temperature: 21 },
    { co2: 862, voc: null },
  ],
  [
    { scd41_co2: 862, tvoc: 120 },
    { co2: 862, voc: 120 },
  ],
  [
    { co2: null, scd_co2: 862 },
    { co2: 862, voc: null },
  ],
  [
    { co2: null, voc: 120 },
    { co2: null, voc: 120 },
  ],
])('Enviro: %j is %j', (readings, values) => {
  expect(enviro.translate({ ...ENVIRO, readings })).toEqual({
    ok: true,
    value: { ...values, created_at: ENVIRO.timestamp, sensor: 'gecko-tank-7' },
  });
});

test('Enviro: a board without a nickname is named by its id', () => {
  expect(enviro.translate({ ...ENVIRO, nickname: null, readings: { co2: 1 } })).toMatchObject({
    value: { sensor: 'e6614c775b8c4035' },
  });
});
