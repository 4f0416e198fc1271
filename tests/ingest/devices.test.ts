import { expect, test } from 'vitest';
import { airRohr, enviro, translateAirGradient } from '../../app/ingest/devices';

const HOSTILE = [null, 1, 'text', [], [[]], {}, { sensordatavalues: 'x' }, { readings: [1], nickname: {} }];

test.each([
  ['airRohr', airRohr.translate],
  ['Enviro', enviro.translate],
  ['AirGradient', translateAirGradient],
])('%s: what it never sends is refused with a reason', (_, translate) => {
  for (const sent of [...HOSTILE, { sensordatavalues: [null, 1, [], { value_type: 1 }] }]) {
    expect(translate(sent)).toEqual({
      ok: false,
      errors: [{ field: expect.any(String), detail: expect.stringMatching(/\w/) }],
    });
  }
});

test('airRohr: its values are texts, and only the SCD30 measures CO2', () => {
  const sensordatavalues = [
    { value_type: 'SCD30_temperature', value: '22.15' },
    { value_type: 'SCD30_co2_ppm', value: '512.00' },
  ];
  expect(
    airRohr.translate({ esp8266id: '10677322', software_version: 'NRZ-2024-135', sensordatavalues }),
  ).toEqual({
    ok: true,
    value: { co2: '512.00', voc: null, sensor: '10677322' },
  });
});

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

test('Enviro: a board without a nickname has its id', () => {
  expect(enviro.translate({ ...ENVIRO, nickname: null, readings: { co2: 1 } })).toMatchObject({
    value: { sensor: 'e6614c775b8c4035' },
  });
});
