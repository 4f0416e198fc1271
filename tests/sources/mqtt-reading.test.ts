import { expect, test } from 'vitest';
import { messageTranslation, sensorOfTopic } from '../../app/sources/mqtt-reading';

test.each([
  ['airboard/+/reading', 'airboard/Bedroom/reading', 'Bedroom'],
  ['airboard/+/reading', 'airboard//reading', ''],
  ['airboard/+/reading', 'airboard/Bedroom/reading/more', null],
  ['airboard/+/reading', 'airboard/Bedroom', null],
  ['airboard/+/reading', 'home/Bedroom/reading', null],
  ['+', 'Bedroom', 'Bedroom'],
  ['home/air', 'home/air', undefined],
  ['home/air', 'home/air/Bedroom', null],
])('of %s, the topic %s names the sensor %j', (filter, topic, sensor) => {
  expect(sensorOfTopic(filter, topic)).toBe(sensor);
});

test('the topic names the sensor; without a name in it, the message does', () => {
  const sent = { co2: 415, voc: 120, sensor: 'Kitchen' };
  expect(messageTranslation('Bedroom', false)(sent)).toEqual({
    ok: true,
    value: { ...sent, sensor: 'Bedroom' },
  });
  expect(messageTranslation(undefined, false)(sent)).toEqual({ ok: true, value: sent });
});
