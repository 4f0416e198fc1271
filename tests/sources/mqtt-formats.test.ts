import { expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import { matchesTopic, readMessage } from '../../app/sources/mqtt-formats.server';

type Names = Parameters<typeof readMessage>[4];

/** Returns the reading or number in a message, or the reason for ignoring it. Text is sent as it is. */
function read(filter: string, topic: string, sent: unknown, isRetained = false, names?: Names) {
  const payload = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const message = readMessage(filter, topic, payload, isRetained, names);
  if (message.kind === 'ignored') return message.reason;
  if (message.kind === 'number') return message;
  if (message.kind === 'reading') return message.value;
  const translation = message.translate(sent);
  return translation.ok ? translation.value : translation.errors;
}

test.each([
  ['airboard/+/reading', 'airboard/Bedroom/reading', true],
  ['airboard/+/reading', 'airboard//reading', true],
  ['airboard/+/reading', 'airboard/Bedroom/reading/more', false],
  ['airboard/+/reading', 'airboard/Bedroom', false],
  ['airboard/+/reading', 'home/Bedroom/reading', false],
  ['+', 'Bedroom', true],
  ['home/air', 'home/air', true],
  ['home/air', 'home/air/Bedroom', false],
])('the filter %s matches the topic %s: %s', (filter, topic, isSelected) => {
  expect(matchesTopic(filter, topic)).toBe(isSelected);
});

test('the topic names the sensor; without a name in it, the message does', () => {
  const sent = { co2: 415, voc: 120, sensor: 'Kitchen' };
  expect(read('airboard/+/reading', 'airboard/Bedroom/reading', sent)).toEqual({
    ...sent,
    sensor: 'Bedroom',
  });
  expect(read('home/air', 'home/air', sent)).toEqual(sent);
});

test('a retained reading needs its own time', () => {
  const at = '2026-01-02T10:00:00Z';
  expect(read('home/air', 'home/air', { co2: 1, voc: 1 }, true)).toEqual([
    { field: 'created_at', detail: 'is missing in a retained message, which may be of any age' },
  ]);
  expect(read('home/air', 'home/air', { co2: 1, voc: 1, created_at: at }, true)).toMatchObject({ co2: 1 });
});

const ZIGBEE = 'zigbee2mqtt/+';
const TASMOTA = 'tele/+/SENSOR';
const ESPHOME = '+/sensor/+/state';

test('reads every metric of the table with a usual unit from Zigbee2MQTT, and rejects an array', () => {
  const refused = ['hcho', 'no2', 'o3', 'radon'];
  const taken = METRICS.filter(({ field }) => !refused.includes(field));
  const values = Object.fromEntries(taken.map(({ field, plausible }) => [field, plausible.to]));
  expect(read(ZIGBEE, 'zigbee2mqtt/Kitchen', values)).toEqual({ ...values, sensor: 'Kitchen' });
  expect(read(ZIGBEE, 'zigbee2mqtt/Kitchen', [values])).toBe('has no metric that airboard keeps');
});

/** Messages published by Zigbee2MQTT, from reports of its users. */
test.each([
  // github.com/Koenkk/zigbee-herdsman-converters/issues/6721: Aqara VOCKQJK11LM, in PPB.
  [
    {
      air_quality: 'good',
      battery: 100,
      device_temperature: 20,
      display_unit: 'ppb_celsius',
      humidity: 42.04,
    },
    { last_seen: '2024-01-12T14:54:12.798Z', linkquality: 109, power_outage_count: 20, temperature: 20.67 },
    { voc: 215, voltage: 3037 },
    { co2: null, voc: 215, temperature: 20.67, humidity: 42.04, created_at: '2024-01-12T14:54:12.798Z' },
  ],
  // github.com/Koenkk/zigbee2mqtt/issues/30112: Tuya TS0601_air_quality_sensor.
  [
    { co2: 363, formaldehyd: 1, humidity: 50, last_seen: 1765292604979, linkquality: 255, temperature: 21 },
    { voc: 2 },
    {},
    { co2: 363, voc: null, temperature: 21, humidity: 50, created_at: '2025-12-09T15:03:24.979Z' },
  ],
  // github.com/Koenkk/zigbee2mqtt/issues/21703: Tuya TS0601_smart_air_house_keeper.
  [
    { co2: 360, formaldehyd: 3, humidity: 61.8, linkquality: 255, pm25: 6, temperature: 27.8, voc: 20 },
    {},
    {},
    { co2: 360, voc: null, pm25: 6, temperature: 27.8, humidity: 61.8 },
  ],
  // The JSON members of a Heiman HS2AQ-EM that hasn't reported all of its values yet.
  [
    { aqi: null, battery: 94, battery_state: 'not_charging', hcho: null, humidity: 47.9, linkquality: 87 },
    { pm10: 12, pm25: 9, temperature: null, voc: null },
    {},
    { co2: null, voc: null, pm25: 9, pm10: 12, humidity: 47.9 },
  ],
  // Names and units of Zigbee2MQTT's exposes.ts. `illuminance` beside `illuminance_lux` is the device's own number.
  [
    { co: 2, carbon_monoxide: false, noise: 41, noise_detected: false, battery: 90, pm1: 3, pm10: 6 },
    { illuminance: 21_304, illuminance_lux: 135, linkquality: 90 },
    {},
    { co2: null, voc: null, co: 2, noise: 41, light: 135, pm1: 3, pm10: 6 },
  ],
  [{ illuminance: 135, linkquality: 90, battery: 100 }, {}, {}, { co2: null, voc: null, light: 135 }],
  // The JSON members of an IKEA VINDSTYRKA.
  [
    { humidity: 45, identify: null, linkquality: 153, pm25: 5, temperature: 22, voc_index: 114 },
    { update: { installed_version: 16777233, latest_version: 16777233, state: 'idle' } },
    {},
    { co2: null, voc: null, voc_index: 114, pm25: 5, temperature: 22, humidity: 45 },
  ],
])('Zigbee2MQTT: reads the metrics of %j', (some, more, others, values) => {
  const sent = { ...some, ...more, ...others };
  expect(read(ZIGBEE, 'zigbee2mqtt/Kitchen', sent)).toEqual({ ...values, sensor: 'Kitchen' });
});

test.each([
  ['zigbee2mqtt/airquality/livingroom', 'zigbee2mqtt/airquality/livingroom', 'airquality/livingroom'],
  ['zigbee2mqtt/airquality/+', 'zigbee2mqtt/airquality/livingroom', 'livingroom'],
  ['tele/home/kitchen/SENSOR', 'tele/home/kitchen/SENSOR', 'home/kitchen'],
  ['tele/+/SENSOR', 'tele/kitchen/SENSOR', 'kitchen'],
  ['kitchen/sensor/+/state', 'kitchen/sensor/co2/state', 'kitchen'],
  ['home/+/sensor/+/state', 'home/kitchen/sensor/co2/state', 'kitchen'],
])('the filter %s maps the topic %s to the sensor %s', (filter, topic, sensor) => {
  const isNumber = topic.endsWith('state');
  expect(read(filter, topic, isNumber ? 612 : { co2: 612, SCD40: { CarbonDioxide: 612 } })).toMatchObject({
    sensor,
  });
});

test.each([
  [ZIGBEE, 'zigbee2mqtt/Lamp', { state: 'ON', brightness: 80 }, 'has no metric that airboard keeps'],
  [ZIGBEE, 'zigbee2mqtt/Air', { co2: null, voc: null }, 'has no metric that airboard keeps'],
  [TASMOTA, 'tele/plug/SENSOR', { Time: '2026', ENERGY: { Power: 3 } }, 'has no metric that airboard keeps'],
  [ESPHOME, 'kitchen/sensor/wifi_signal/state', -60, '"wifi_signal" is not a metric that airboard keeps'],
  [ESPHOME, 'kitchen/sensor/eco2/state', 600, '"eco2" is not a metric that airboard keeps'],
  [ESPHOME, 'kitchen/sensor/co2/state', 'x'.repeat(9000), '"co2" is not a number'],
  [ZIGBEE, 'zigbee2mqtt/Air', 'x'.repeat(20_000), 'is over 16 KiB'],
])('ignores with a reason: %s, %s, %j', (filter, topic, sent, reason) => {
  expect(read(filter, topic, sent)).toBe(reason);
});

test('gives a reason for ignoring invalid JSON, but ignores missing values and availability silently', () => {
  expect(read(ZIGBEE, 'zigbee2mqtt/Air', 'on and off')).toBe('is not JSON');
  for (const value of ['nan', '-nan', 'inf', 'unavailable', 'unknown']) {
    expect(read(ESPHOME, 'kitchen/sensor/co2/state', value)).toBeNull();
  }
  for (const value of ['online', 'Offline', '{"state":"online"}', '"offline"']) {
    expect(read('zigbee2mqtt/kitchen/+', 'zigbee2mqtt/kitchen/availability', value)).toBeNull();
    expect(read('tele/+/LWT', 'tele/kitchen/LWT', value)).toBeNull();
    expect(read('+/status', 'kitchen/status', value)).toBeNull();
  }
});

test.each([
  [ZIGBEE, 'zigbee2mqtt/Kitchen'],
  [TASMOTA, 'tele/kitchen/SENSOR'],
])('ignores a retained message of %s, whose age is unknown', (filter, topic) => {
  expect(read(filter, topic, { co2: 612, SCD40: { CarbonDioxide: 612 } }, true)).toMatch(/may be of any age/);
});

test.each([
  [
    'measured CO2 before an estimated one',
    {
      Time: '2026-11-24T12:00:00',
      SGP30: { eCO2: 400, TVOC: 18, aHumidity: 9.3 },
      SCD40: { CarbonDioxide: 612, eCO2: 600, Temperature: 24.1, Humidity: 41, DewPoint: 10.2 },
      TempUnit: 'C',
    },
    { co2: 612, voc: 18, temperature: 24.1, humidity: 41 },
  ],
  // github.com/arendst/Tasmota/issues/5128.
  [
    'an MH-Z19B',
    { Time: '2019-02-05T22:32:49', MHZ19B: { CarbonDioxide: 836, Temperature: 21 }, TempUnit: 'C' },
    { co2: 836, voc: null, temperature: 21 },
  ],
  // github.com/arendst/Tasmota/issues/6442.
  [
    '°F',
    { AM2301: { Temperature: 75.2, Humidity: 46.3 }, SGP30: { eCO2: 474, TVOC: 11 }, TempUnit: 'F' },
    { co2: null, voc: 11, temperature: 24, humidity: 46.3 },
  ],
  [
    'an SGP41, whose TVOC is an index, next to a BME280, whose temperature is preferred',
    {
      SCD40: { CarbonDioxide: 612, Temperature: 26, Humidity: 38, DewPoint: 10.2 },
      SGP41: { VOC_Raw: 30123, NOX_Raw: 15012, TVOC: 104, NOx: 1 },
      BME280: { Temperature: 22.4, Humidity: 44, DewPoint: 9.6, Pressure: 750.06 },
      ESP32: { Temperature: 51.1 },
      PressureUnit: 'mmHg',
      TempUnit: 'C',
    },
    {
      co2: 612,
      voc: null,
      voc_index: 104,
      nox_index: 1,
      temperature: 22.4,
      humidity: 44,
      pressure: 1000,
    },
  ],
  [
    'a SEN55 whose indices are 0 until warm-up ends',
    {
      SEN5X: { PM1: 3.1, 'PM2.5': 4.2, PM4: 4.9, PM10: 5.1, NOx: 0, VOC: 0, Temperature: 23.1, Humidity: 40 },
    },
    { co2: null, voc: null, pm1: 3.1, pm25: 4.2, pm4: 4.9, pm10: 5.1, temperature: 23.1, humidity: 40 },
  ],
  [
    'a light sensor, and the gases of a Grove MGS in ppm',
    { BH1750: { Illuminance: 135 }, MGS: { NH3: 0.5, CO: 1.4, NO2: 0.12, C3H8: 500 } },
    { co2: null, voc: null, co: 1.4, no2: 120, light: 135 },
  ],
])('Tasmota: reads %s', (_, sent, values) => {
  expect(read(TASMOTA, 'tele/kitchen/SENSOR', sent)).toEqual({ ...values, sensor: 'kitchen' });
});

test('ESPHome: a retained number is marked, because its age is unknown', () => {
  expect(read(ESPHOME, 'kitchen/sensor/co2/state', '612', true)).toMatchObject({ isRetained: true });
});

test.each<[topic: string, sent: string, field: string, value: number]>([
  ['apollo-air-1/sensor/sen55_voc', '320', 'voc_index', 320],
  ['mhz19/sensor/mh-z19_co2_value', '801', 'co2', 801],
  ['dust/sensor/_pm__2_5__m_weight_concentration', '5.2', 'pm25', 5.2],
  ['kitchen/sensor/temperature_f', '70.7', 'temperature', 21.5],
  ['kitchen/sensor/pressure_pa', '101325', 'pressure', 1013.25],
  ['kitchen/sensor/tvoc', '0.12', 'voc', 0.12],
  ['kitchen/sensor/_pm__1__m_weight_concentration', '3.1', 'pm1', 3.1],
  ['kitchen/sensor/carbon_monoxide', '1.4', 'co', 1.4],
  ['kitchen/sensor/sfa30_formaldehyde_ppb', '12.6', 'hcho', 12.6],
  ['kitchen/sensor/nitrogen_dioxide_ppm', '0.02', 'no2', 20],
  ['kitchen/sensor/bh1750_illuminance', '135', 'light', 135],
  ['kitchen/sensor/sound_pressure', '41.5', 'noise', 41.5],
  ['cellar/sensor/radon_pci_l', '2', 'radon', 74],
])('ESPHome: %s with %s is %s of %d', (topic, sent, field, value) => {
  const [sensor, , name] = topic.split('/');
  const number = { kind: 'number', sensor, place: '', name, field, value, isRetained: false };
  expect(read(ESPHOME, `${topic}/state`, sent)).toEqual(number);
});

test.each([
  [
    'sen54/sensor/voc',
    '105',
    '"voc" may be in PPB or an index: set MQTT_NAMES=sen54/voc=voc, or sen54/voc=voc_index',
  ],
  [
    'kitchen/sensor/temperature',
    '72',
    '"temperature" has no unit and may be in °F: set MQTT_NAMES=kitchen/temperature=temperature:°F, or ' +
      'kitchen/temperature=temperature',
  ],
  ['kitchen/sensor/pressure', '101325', expect.stringContaining('may be in Pa')],
  ['kitchen/sensor/humidity_g_m3', '9.9', `"humidity_g_m3" is in g_m3, which can't be converted to %`],
  [
    'kitchen/sensor/ozone',
    '30',
    '"ozone" has no unit and may be in ppm: set MQTT_NAMES=kitchen/ozone=o3:ppm, or kitchen/ozone=o3',
  ],
  [
    'cellar/sensor/waveplus_radon',
    '68',
    '"waveplus_radon" has no unit and may be in pCi/L: set MQTT_NAMES=cellar/waveplus_radon=radon:pCi/L, or ' +
      'cellar/waveplus_radon=radon',
  ],
  [
    'kitchen/sensor/no2_ug_m3',
    '30',
    `"no2_ug_m3" is in ug_m3, which can't be converted to PPB, because the factor depends on the temperature and the gas`,
  ],
  [
    'kitchen/sensor/co2_by_the_door',
    '612',
    '"co2_by_the_door" is not a metric that airboard keeps. To take it as one, set MQTT_NAMES=kitchen/co2_by_the_door=co2',
  ],
  [
    'bath/sensor/absolute_humidity',
    '9.9',
    expect.stringContaining('is not a metric that airboard keeps. To take it as one'),
  ],
  ['rgb/sensor/tcs34725_color_temperature', '6500', expect.stringContaining('is not a metric')],
])('ESPHome: %s with %s is refused with the setting for it', (topic, sent, reason) => {
  expect(read(ESPHOME, `${topic}/state`, sent)).toEqual(reason);
});

test('MQTT_NAMES decides the metric, the unit and the sensor of a name', () => {
  const names: Names = new Map([
    ['sen54/voc', { field: 'voc_index' }],
    ['attic/temperature', { field: 'temperature', unit: 'F' }],
    ['sauna/temperature', { field: 'temperature' }],
    ['ha/bedroom_co2', { field: 'co2', sensor: 'Bedroom' }],
    ['Air box/voc', { field: 'voc', unit: 'ppm' }],
  ]);
  const number = (topic: string, sent: string) => read(ESPHOME, topic, sent, false, names);
  expect(number('sen54/sensor/voc/state', '105')).toMatchObject({ field: 'voc_index', value: 105 });
  expect(number('attic/sensor/temperature/state', '50')).toMatchObject({ field: 'temperature', value: 10 });
  expect(number('sauna/sensor/temperature/state', '85')).toMatchObject({ field: 'temperature', value: 85 });
  expect(number('ha/sensor/bedroom_co2/state', '612')).toMatchObject({ sensor: 'Bedroom', field: 'co2' });
  const sent = { co2: 614, formaldehyd: 0.02, voc: 0.12, linkquality: 90 };
  expect(read(ZIGBEE, 'zigbee2mqtt/Air box', sent, false, names)).toMatchObject({ co2: 614, voc: 120 });
});

test.each([
  ['homeassistant/sensor/bedroom_temperature', { sensor: 'bedroom', field: 'temperature' }],
  ['homeassistant/sensor/living_room_pm2_5', { sensor: 'living_room', field: 'pm25' }],
  ['home/statestream/sensor/bedroom_scd41_co2', { sensor: 'bedroom_scd41', field: 'co2' }],
])('Statestream: the entity of %s names the sensor', (topic, number) => {
  const filter = topic.replace(/[^/]+$/, '+');
  expect(read(`${filter}/state`, `${topic}/state`, '18.5')).toMatchObject({ ...number, value: 18.5 });
});

test('Statestream: refuses an entity without a room, and keeps the room of a name in MQTT_NAMES', () => {
  const names: Names = new Map([['homeassistant/bedroom_voc', { field: 'voc_index' }]]);
  expect(read(ESPHOME, 'homeassistant/sensor/bedroom_voc/state', '104', false, names)).toMatchObject({
    ...{ sensor: 'bedroom', field: 'voc_index' },
  });
  expect(read(ESPHOME, 'homeassistant/sensor/phone_steps/state', '612')).toBeNull();
  expect(read(ESPHOME, 'homeassistant/sensor/co2/state', '612')).toBe(
    `"co2" doesn't say its room. To take it, set MQTT_NAMES=homeassistant/co2=ROOM/co2`,
  );
});

test.each([
  ['z2m/+', 'z2m/Kitchen', { co2: 614, last_seen: 'x' }, { sensor: 'Kitchen', co2: 614, voc: null }],
  ['z2m/+', 'z2m/Kitchen', { co2: 614, linkquality: 90 }, { sensor: 'Kitchen', co2: 614, voc: null }],
  [
    '+/tele/SENSOR',
    'kitchen/tele/SENSOR',
    { Time: 'x', SCD40: { CarbonDioxide: 612 } },
    { sensor: 'kitchen', co2: 612 },
  ],
  [
    'home/kitchen/tele/SENSOR',
    'home/kitchen/tele/SENSOR',
    { SCD40: { CarbonDioxide: 612 } },
    { sensor: 'home/kitchen' },
  ],
  [
    'home/+/sensors',
    'home/kitchen/sensors',
    { Time: 'x', SCD40: { CarbonDioxide: 612 } },
    { sensor: 'kitchen', co2: 612 },
  ],
  ['air/+', 'air/Kitchen', { co2: 614, temperature: 21 }, { sensor: 'Kitchen', co2: 614, temperature: 21 }],
])('reads a message by its content: %s, %s', (filter, topic, sent, reading) => {
  expect(read(filter, topic, sent)).toMatchObject(reading);
});

test.each([
  ['2026-11-20T08:00:00+01:00', '2026-11-20T07:00:00.000Z'],
  ['2026-11-20T07:00:00.123Z', '2026-11-20T07:00:00.123Z'],
  [1_795_158_000, '2026-11-20T07:00:00.000Z'],
  [1_795_158_000_123, '2026-11-20T07:00:00.123Z'],
])(
  'Zigbee2MQTT: last_seen %s is the time of the reading, also of a retained one',
  (last_seen, created_at) => {
    for (const isRetained of [false, true]) {
      const sent = { co2: 1850, last_seen };
      expect(read(ZIGBEE, 'zigbee2mqtt/Old', sent, isRetained)).toMatchObject({ co2: 1850, created_at });
    }
  },
);

test('a time that is ahead or before 2000 is not taken, and no reason to lose a new message', () => {
  for (const last_seen of [Date.now() + 600_000, 60, 'yesterday']) {
    expect(read(ZIGBEE, 'zigbee2mqtt/New', { co2: 612, last_seen })).not.toHaveProperty('created_at');
    expect(read(ZIGBEE, 'zigbee2mqtt/New', { co2: 612, last_seen }, true)).toMatch(/may be of any age/);
  }
});

test('Tasmota: a retained message needs a time with an offset, or Epoch', () => {
  const sent = { Time: '2026-11-20T08:00:00', SCD40: { CarbonDioxide: 612 } };
  const created_at = '2026-11-20T07:00:00.000Z';
  expect(read(TASMOTA, 'tele/kitchen/SENSOR', sent, true)).toMatch(/may be of any age/);
  for (const time of [{ Time: '2026-11-20T08:00:00+01:00' }, { Epoch: 1_795_158_000 }]) {
    expect(read(TASMOTA, 'tele/kitchen/SENSOR', { ...sent, ...time }, true)).toMatchObject({ created_at });
  }
});

test.each([
  [
    'nan of a broken DHT11 beside a good CO2',
    '{"SCD40":{"CarbonDioxide":612},"DHT11":{"Temperature":nan,"Humidity":NaN},"BMP":{"Pressure":-Infinity}}',
    { co2: 612, voc: null, sensor: 'kitchen' },
  ],
  [
    'PM2_5 of an SPS30',
    '{"SPS30":{"PM1_0":3.1,"PM2_5":5.2,"PM4_0":6.0,"PM10":6.4,"NCPM2_5":3}}',
    { co2: null, voc: null, pm1: 3.1, pm25: 5.2, pm4: 6, pm10: 6.4, sensor: 'kitchen' },
  ],
  [
    'a SEN66, also of a fork',
    '{"SEN66":{"PM2_5":5.2,"CO2":612,"VOC":104,"NOx":1,"Temperature":"72.5"},"TempUnit":"F"}',
    { co2: 612, voc: null, voc_index: 104, nox_index: 1, pm25: 5.2, temperature: 22.5, sensor: 'kitchen' },
  ],
  [
    'a PMS5003 and text',
    '{"PMS5003":{"CF1":2,"CF2.5":3,"CF10":3,"PM1":2,"PM2.5":"3","PM10":"unavailable","PB2.5":9}}',
    { co2: null, voc: null, pm1: 2, pm25: 3, sensor: 'kitchen' },
  ],
])('Tasmota: takes %s', (_, sent, reading) => {
  expect(read(TASMOTA, 'tele/kitchen/SENSOR', sent)).toEqual(reading);
});

test.each([
  [
    ZIGBEE,
    'zigbee2mqtt/Air',
    { co2: 614, voc: 0.12, formaldehyd: 0.02 },
    ['"voc" may be in PPB, ppm or µg/m³', `"formaldehyd" is in mg/m³, which can't be converted to PPB`],
  ],
  [ZIGBEE, 'zigbee2mqtt/Air', { co2: 614, pressure: 101.3 }, ['"pressure" has no unit and may be in kPa']],
  [ZIGBEE, 'zigbee2mqtt/Air', { temperature: 60, pm2_5: 5, CO2: 614 }, []],
  [
    ZIGBEE,
    'zigbee2mqtt/Air',
    { co2: 614, temperature_outside_unit: 1, humidity_alarm: false, state: 'ON' },
    [],
  ],
  [
    TASMOTA,
    'tele/air/SENSOR',
    { SCD40: { CarbonDioxide: 614 }, X: { VOC: 3 } },
    ['"VOC" may be in PPB or an index'],
  ],
  [
    TASMOTA,
    'tele/air/SENSOR',
    { SCD40: { CarbonDioxide: 614 }, SonoffSC: { Light: 20, Noise: 10, AirQuality: 90 } },
    [`"Light" is in %, which can't be converted to lx`, `"Noise" is in %, which can't be converted to dB`],
  ],
  [TASMOTA, 'tele/air/SENSOR', { SCD40: { CarbonDioxide: 614, eCO2: 600, DewPoint: 9 } }, []],
  [
    TASMOTA,
    'tele/air/SENSOR',
    { SCD40: { CarbonDioxide: 614, Temperature: 72 } },
    ['"Temperature" has no unit'],
  ],
])('%s, %s, %j: says which members are not taken', (filter, topic, sent, remarks) => {
  const message = readMessage(filter, topic, JSON.stringify(sent), false);
  const expected = remarks.map((remark) => expect.stringContaining(remark));
  expect(message).toMatchObject({ kind: 'reading', remarks: expected });
});
