import { expect, test } from 'vitest';
import { attachment, csvFormat } from '../../app/http/csv.server';
import { reading } from '../support/readings/readings';

const created_at = '2026-01-02T10:00:15.000Z';

test('writes a line for each reading, with empty fields for missing values', () => {
  const text = csvFormat([]).encode([
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

test('CSV has a column for each measured metric in the order of the table, and always for CO2 and VOC', () => {
  const { start, encode } = csvFormat(['temperature', 'pm25']);
  expect(start).toBe('created_at,sensor,co2,voc,pm25,temperature,id\r\n');
  expect(
    encode([reading(1, { temperature: 21.5, humidity: 40 }), reading(2, { co2: null, voc: null, pm25: 0 })]),
  ).toBe(`${created_at},,401,101,,21.5,1\r\n2026-01-02T10:00:30.000Z,,,,0,,2\r\n`);
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
  expect(csvFormat([]).encode([reading(1, { sensor })])).toBe(`${created_at},${field},401,101,1\r\n`);
});

test.each([
  ['airboard-2026-01-02.csv', 'filename="airboard-2026-01-02.csv"'],
  ['Living room.csv', 'filename="Living room.csv"'],
  ['Küche.csv', 'filename="K_che.csv"; filename*=UTF-8\'\'K%C3%BCche.csv'],
  ['🍳.csv', 'filename="_.csv"; filename*=UTF-8\'\'%F0%9F%8D%B3.csv'],
  ["ü'(*).csv", "filename=\"_'(_).csv\"; filename*=UTF-8''%C3%BC%27%28_%29.csv"],
  ['a/../b\\c:d*e?f"g<h>i|j%41.csv', 'filename="a_.._b_c_d_e_f_g_h_i_j_41.csv"'],
  ['a\r\nSet-Cookie: b.csv', 'filename="a__Set-Cookie_ b.csv"'],
  ['gpj\u202evsc.csv', 'filename="gpj_vsc.csv"'],
])('names the file %j in the header as %s', (name, parameters) => {
  expect(attachment(name)).toBe(`attachment; ${parameters}`);
});
