import { expect, test } from 'vitest';
import { matchesTopic, metricNamed, readMessage } from '../../app/sources/mqtt-formats.server';

/** Reads a message of JSON and returns the reading, or the reason why there is none. */
function read(filter: string, topic: string, sent: unknown, isRetained = false) {
  const message = readMessage(filter, topic, isRetained);
  if (message.kind === 'ignored') return message.reason;
  if (message.kind === 'number') return message;
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
])('the filter %s selects the topic %s: %s', (filter, topic, isSelected) => {
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

test('takes the metrics of a Zigbee device, with null for those that it lacks', () => {
  const sent = { battery: 87, co2: 612, linkquality: 120, voc: null };
  expect(read(ZIGBEE, 'zigbee2mqtt/Kitchen', sent)).toEqual({ co2: 612, voc: null, sensor: 'Kitchen' });
});

test('refuses a Zigbee device without a metric', () => {
  expect(read(ZIGBEE, 'zigbee2mqtt/Lamp', { state: 'ON', brightness: 80 })).toEqual([
    { field: 'message', detail: 'has no metric that airboard keeps' },
  ]);
});

test.each([
  [ZIGBEE, 'zigbee2mqtt/Kitchen'],
  [TASMOTA, 'tele/kitchen/SENSOR'],
  [ESPHOME, 'kitchen/sensor/co2/state'],
])('ignores a retained message of %s, whose age is unknown', (filter, topic) => {
  expect(read(filter, topic, { co2: 612, SCD40: { CarbonDioxide: 612 } }, true)).toMatch(/may be of any age/);
});

test("takes Tasmota's CO2, not the one that it estimates", () => {
  const sent = {
    Time: '2026-11-24T12:00:00',
    SGP30: { eCO2: 400, TVOC: 18, aHumidity: 9.3 },
    SCD40: { CarbonDioxide: 612, eCO2: 600, Temperature: 24.1, Humidity: 41, DewPoint: 10.2 },
    TempUnit: 'C',
  };
  expect(read(TASMOTA, 'tele/kitchen/SENSOR', sent)).toMatchObject({ co2: 612, voc: 18, sensor: 'kitchen' });
});

test.each([
  ['kitchen/sensor/co2/state', 'co2'],
  ['kitchen/sensor/scd41_co2/state', 'co2'],
  ['kitchen/sensor/kitchen_tvoc/state', 'voc'],
])('the metric of %s is %s', (topic, field) => {
  expect(read(ESPHOME, topic, '612')).toEqual({ kind: 'number', sensor: 'kitchen', field });
});

test('ignores a number of no metric', () => {
  expect(read(ESPHOME, 'kitchen/sensor/wifi_signal/state', '-60')).toBe(
    '"wifi_signal" is no metric that airboard keeps',
  );
});

test.each([
  ['CO2 (ppm)', null],
  ['co2', 'co2'],
  ['SCD41 CO2', 'co2'],
  ['eCO2', null],
  ['', null],
])('the metric named %j is %j', (text, field) => {
  expect(metricNamed(text)).toBe(field);
});
