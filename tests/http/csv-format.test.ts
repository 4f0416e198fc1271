import { expect, test } from 'vitest';
import { CSV_FORMAT } from '../../app/http/formats.server';
import { reading } from '../support/readings/readings';

const created_at = '2026-01-02T10:00:15.000Z';

test('writes a line for each reading, with empty fields for what is not known', () => {
  const text = CSV_FORMAT.encode([
    reading(1),
    reading(2, { co2: null, sensor: 'Kitchen' }),
    reading(3, { voc: null, sensor: 'Kitchen', co2: -1.5, created_at: '2026-01-02T10:00:45.123456Z' }),
    reading(4, { co2: 1e21, voc: 5e-324 }),
  ]);
  expect(text).toBe(
    [
      `${created_at},,401,101,1\r\n`,
      '2026-01-02T10:00:30.000Z,Kitchen,,102,2\r\n',
      '2026-01-02T10:00:45.123456Z,Kitchen,-1.5,,3\r\n',
      '2026-01-02T10:01:00.000Z,,1e+21,5e-324,4\r\n',
    ].join(''),
  );
});

test.each([
  ['Living room', 'Living room'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ["Ann's", '"Ann\'s"'],
  ['x;=1+1;y', '"x;\'=1+1;y"'],
  ['the "lab"', '"the ""lab"""'],
  ['Küche 🍳', 'Küche 🍳'],
  ['=1+1', '"\'=1+1"'],
  ['=SUM(A1,"x")', '"\'=SUM(A1,""x"")"'],
])('writes the sensor %s as %s', (sensor, field) => {
  expect(CSV_FORMAT.encode([reading(1, { sensor })])).toBe(`${created_at},${field},401,101,1\r\n`);
});
