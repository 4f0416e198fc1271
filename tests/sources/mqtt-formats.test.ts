import { expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import { matchesTopic, readMessage } from '../../app/sources/mqtt-formats.server';

/** Returns the reading or number in a message, or the reason for ignoring it. */
function read(filter: string, topic: string, sent: unknown, isRetained = false) {
  const message = readMessage(filter, topic, JSON.stringify(sent), isRetained);
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

test('reads every metric of the table from Zigbee2MQTT, and rejects an array', () => {
  const values = Object.fromEntries(METRICS.map(({ field, plausible }) => [field, plausible.to]));
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
    { co2: null, voc: 215, temperature: 20.67, humidity: 42.04 },
  ],
  // github.com/Koenkk/zigbee2mqtt/issues/30112: Tuya TS0601_air_quality_sensor.
  [
    { co2: 363, formaldehyd: 1, humidity: 50, last_seen: 1765292604979, linkquality: 255, temperature: 21 },
    { voc: 2 },
    {},
    { co2: 363, voc: 2, temperature: 21, humidity: 50 },
  ],
  // github.com/Koenkk/zigbee2mqtt/issues/21703: Tuya TS0601_smart_air_house_keeper.
  [
    { co2: 360, formaldehyd: 3, humidity: 61.8, linkquality: 255, pm25: 6, temperature: 27.8, voc: 20 },
    {},
    {},
    { co2: 360, voc: 20, pm25: 6, temperature: 27.8, humidity: 61.8 },
  ],
  // The JSON members of a Heiman HS2AQ-EM that hasn't reported all of its values yet.
  [
    { aqi: null, battery: 94, battery_state: 'not_charging', hcho: null, humidity: 47.9, linkquality: 87 },
    { pm10: 12, pm25: 9, temperature: null, voc: null },
    {},
    { co2: null, voc: null, pm25: 9, pm10: 12, humidity: 47.9 },
  ],
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
  [ESPHOME, 'kitchen/sensor/co2/state', 'x'.repeat(9000), 'is not a number'],
  [ZIGBEE, 'zigbee2mqtt/Air', 'x'.repeat(20_000), 'is over 16 KiB'],
])('ignores with a reason: %s, %s, %j', (filter, topic, sent, reason) => {
  expect(read(filter, topic, sent)).toBe(reason);
});

test('gives a reason for ignoring invalid JSON, but ignores nan from ESPHome silently', () => {
  expect(readMessage(ZIGBEE, 'zigbee2mqtt/Air', 'online', false)).toEqual({
    kind: 'ignored',
    reason: 'is not JSON',
  });
  expect(readMessage(ESPHOME, 'kitchen/sensor/co2/state', 'nan', false)).toEqual({
    kind: 'ignored',
    reason: null,
  });
});

test.each([
  [ZIGBEE, 'zigbee2mqtt/Kitchen'],
  [TASMOTA, 'tele/kitchen/SENSOR'],
  [ESPHOME, 'kitchen/sensor/co2/state'],
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
    { co2: null, voc: null, pm25: 4.2, pm10: 5.1, temperature: 23.1, humidity: 40 },
  ],
])('Tasmota: reads %s', (_, sent, values) => {
  expect(read(TASMOTA, 'tele/kitchen/SENSOR', sent)).toEqual({ ...values, sensor: 'kitchen' });
});

test.each([
  ['co2', 'co2'],
  ['scd41_co2', 'co2'],
  ['kitchen_tvoc', 'voc'],
  ['voc_index', 'voc_index'],
  ['sgp41_nox_index', 'nox_index'],
  ['pm_2_5', 'pm25'],
  ['pm_1_0', null],
  ['pm1_0', null],
  ['pm_10_0', 'pm10'],
  ['pm10', 'pm10'],
  ['bme280_temperature', 'temperature'],
  ['internal_temperature', null],
  ['kitchen_cpu_temp', null],
  ['relative_humidity', 'humidity'],
  ['air_pressure', 'pressure'],
])('ESPHome: the metric of %s is %s', (name, field) => {
  const number = { kind: 'number', sensor: 'kitchen', name, field, value: 612 };
  expect(read(ESPHOME, `kitchen/sensor/${name}/state`, 612)).toEqual(
    field ? number : `"${name}" is not a metric that airboard keeps`,
  );
});
