import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReading } from '../../app/ingest/parse-reading.server';

const NO_VALUE =
  'has no value, and neither has another metric: send a number for at least one of co2, voc, voc_index, nox_index, hcho, co, no2, o3, radon, pm1, pm25, pm4, pm10, temperature, humidity, pressure, noise, light';
const NO_OBJECT = 'is missing, because the reading is not a JSON object: send one like {"co2": 415}';
const EMPTY = 'is empty: send a number';
const NOT_A_NUMBER = 'must be a number, like 415 or "415.5"';
const COMMA = 'must be a number with a point, not a comma, before its decimals';
const WRONG_TYPE = 'must be a number, or a number as text';
const INFINITE = 'must be a finite number';

test.each([
  [415, 415],
  [0, 0],
  [-99, -99],
  [415.25, 415.25],
  [Number.MAX_VALUE, Number.MAX_VALUE],
  [-Number.MAX_VALUE, -Number.MAX_VALUE],
  [5e-324, 5e-324],
  ['415', 415],
  ['0', 0],
  ['007', 7],
  ['-1', -1],
  ['+1', 1],
  ['415.5', 415.5],
  ['.5', 0.5],
  ['5.', 5],
  ['4.15e2', 415],
  ['4E+2', 400],
  ['1e-400', 0],
  ['  415\t\n', 415],
  [`${'0'.repeat(397)}415`, 415],
])('reads %j as %d', (sent, read) => {
  expect(parseReading({ co2: sent, voc: 1 })).toEqual({ ok: true, reading: { co2: read, voc: 1 } });
  expect(parseReading({ co2: 1, voc: sent })).toEqual({ ok: true, reading: { co2: 1, voc: read } });
});

test.each([
  ['', EMPTY],
  [' \t', EMPTY],
  ['abc', NOT_A_NUMBER],
  ['4 15', NOT_A_NUMBER],
  ['415 PPM', NOT_A_NUMBER],
  ['0x1F', NOT_A_NUMBER],
  ['0b1', NOT_A_NUMBER],
  ['1_000', NOT_A_NUMBER],
  ['1,000.5', NOT_A_NUMBER],
  ['415,5', COMMA],
  ['.', NOT_A_NUMBER],
  [`${'0'.repeat(398)}415`, 'has 401 characters: send a number of at most 400'],
  [' '.repeat(401), 'has 401 characters: send a number of at most 400'],
  ['-', NOT_A_NUMBER],
  ['e5', NOT_A_NUMBER],
  ['--1', NOT_A_NUMBER],
  ['1e', NOT_A_NUMBER],
  ['nanx', NOT_A_NUMBER],
  ['21,5x', NOT_A_NUMBER],
  ['٤١٥', NOT_A_NUMBER],
  ['<script>', NOT_A_NUMBER],
  ['1e309', INFINITE],
  ['-1e309', INFINITE],
  ['9'.repeat(400), INFINITE],
  [true, WRONG_TYPE],
  [[415], WRONG_TYPE],
  [{ valueOf: 415 }, WRONG_TYPE],
])('rejects %j and names the field: %s', (sent, detail) => {
  expect(parseReading({ co2: sent, voc: 1 })).toEqual({ ok: false, errors: [{ field: 'co2', detail }] });
  expect(parseReading({ co2: 1, voc: sent })).toEqual({ ok: false, errors: [{ field: 'voc', detail }] });
});

test.each([
  ...[Number.NaN, Number.POSITIVE_INFINITY, 'nan', 'NaN', '-nan', 'inf', 'Infinity', ' null '],
  ...['None', 'undefined', 'unavailable', 'unknown', 'N/A'],
])('keeps the value beside %j, and refuses it alone', (nothing) => {
  expect(parseReading({ co2: nothing, temperature: 21, sensor: 'Attic' })).toEqual({
    ok: true,
    reading: { co2: null, voc: null, temperature: 21, sensor: 'Attic' },
    ignored: ['co2'],
  });
  const detail = typeof nothing === 'number' ? INFINITE : NOT_A_NUMBER;
  expect(parseReading({ co2: nothing, temperature: null })).toEqual({
    ok: false,
    errors: [{ field: 'co2', detail }],
  });
  expect(parseReading({ co2: nothing, temperature: '21,5x' })).toMatchObject({ ok: false });
});

test('returns an error for each invalid field, CO2 first', () => {
  expect(parseReading({ voc: 'x', co2: '' })).toEqual({
    ok: false,
    errors: [
      { field: 'co2', detail: EMPTY },
      { field: 'voc', detail: NOT_A_NUMBER },
    ],
  });
});

test.each([[null], [undefined], [415], ['{"co2":1,"voc":2}'], [true], [[]], [[1, 2]]])(
  'rejects %j, which is not an object',
  (body) => {
    expect(parseReading(body)).toEqual({ ok: false, errors: [{ field: 'co2', detail: NO_OBJECT }] });
  },
);

test.each([[{}], [{ co2: null }], [{ co2: null, voc: null, pm25: null }], [{ sensor: 'Attic' }]])(
  'rejects %j, which has no metric',
  (body) => {
    expect(parseReading(body)).toEqual({ ok: false, errors: [{ field: 'co2', detail: NO_VALUE }] });
  },
);

test('reads a missing metric, or null, as not measured', () => {
  expect(parseReading({ co2: 800 })).toEqual({ ok: true, reading: { co2: 800, voc: null } });
  expect(parseReading({ voc: '2' })).toEqual({ ok: true, reading: { co2: null, voc: 2 } });
  expect(parseReading({ co2: 1, voc: null })).toEqual({ ok: true, reading: { co2: 1, voc: null } });
  expect(parseReading({ co2: null, temperature: 20 })).toEqual({
    ok: true,
    reading: { co2: null, voc: null, temperature: 20 },
  });
});

test.each([
  [{ temp: 20 }, ['temp is unknown: send it as "temperature" in °C']],
  [{ co2: 800, temprature: 20 }, ['temprature is unknown: send it as "temperature" in °C']],
  [{ CO2: 800 }, ['CO2 is unknown: send it as "co2" in PPM']],
  [{ co2: 800, CO2: null }, ['CO2 is unknown: send it as "co2" in PPM']],
  [
    { co2: 800, timestamp: 1_764_300_000 },
    ['timestamp is unknown: send the time of the measurement as "created_at"'],
  ],
  [
    { co2: 800, Time: '2026-01-31T12:00:00' },
    ['Time is unknown: send the time of the measurement as "created_at"'],
  ],
  [{ vocIndex: 1, so2: 1 }, ['vocIndex is unknown: send it as "voc_index"']],
  [{ co2: 800, CO: 1 }, ['CO is unknown: send it as "co" in PPM']],
  [{ co2: 800, 'pm1.0': 1 }, ['pm1.0 is unknown: send it as "pm1" in µg/m³']],
  [{ co2: 800, lux: 1 }, ['lux is unknown: send it as "light" in lx']],
  [
    { co2: 'x', hum: 40, temp: 20, Temp: 21 },
    [
      'hum is unknown: send it as "humidity" in %',
      'temp is unknown: send it as "temperature" in °C',
      `co2 ${NOT_A_NUMBER}`,
    ],
  ],
])('rejects %j and names the right metric', (body, expected) => {
  const parsed = parseReading(body);
  expect(!parsed.ok && parsed.errors.map(({ field, detail }) => `${field} ${detail}`)).toEqual(expected);
});

test('ignores and names members of other quantities, unless there is no metric', () => {
  const others = { so2: 1, eco2: 2, battery: {}, [`x${'y'.repeat(50)}`]: null };
  const ignored = Object.keys(others);
  expect(parseReading({ co2: 800, ...others })).toEqual({
    ok: true,
    reading: { co2: 800, voc: null },
    ignored,
  });
  const unknown = ` (not known: "so2", "eco2", "battery", "x${'y'.repeat(39)}"):`;
  expect(parseReading({ ...others, sensor: 'Attic' })).toEqual({
    ok: false,
    errors: [{ field: 'co2', detail: NO_VALUE.replace(':', unknown) }],
  });
});

const NOW = Date.parse('2026-06-15T12:00:00.000Z');
const createdAt = (sent: unknown) => parseReading({ co2: 1, voc: 2, created_at: sent }, { now: NOW });

test.each([
  ['2026-06-15T12:00:00Z', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T12:00Z', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15 12:00:00.5z', '2026-06-15T12:00:00.500Z'],
  ['2026-06-15t14:00:00+02:00', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T14:00:00+0200', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T14:00+02', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T06:30:00-05:30', '2026-06-15T12:00:00.000Z'],
  ['2026-06-16T11:59:00+23:59', '2026-06-15T12:00:00.000Z'],
  ['  2026-06-15T12:00:00Z ', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T12:00:00.123456Z', '2026-06-15T12:00:00.123456Z'],
  ['2026-06-15T12:00:00,1234567899Z', '2026-06-15T12:00:00.123456Z'],
  ['2026-06-15T12:00:00.123000Z', '2026-06-15T12:00:00.123Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000Z'],
  ['2000-01-01T02:00:00+02:00', '2000-01-01T00:00:00.000Z'],
  ['2026-06-15T12:01:00Z', '2026-06-15T12:01:00.000Z'],
  [946_684_800, '2000-01-01T00:00:00.000Z'],
  [946_684_800_000, '2000-01-01T00:00:00.000Z'],
  ['946684800', '2000-01-01T00:00:00.000Z'],
  [1_781_524_860, '2026-06-15T12:01:00.000Z'],
  [1_781_524_860_000, '2026-06-15T12:01:00.000Z'],
  ['1781524800000', '2026-06-15T12:00:00.000Z'],
  [1_781_524_800.25, '2026-06-15T12:00:00.250Z'],
  [1_781_524_799.999999, '2026-06-15T11:59:59.999999Z'],
  ['1781524799.999999', '2026-06-15T11:59:59.999999Z'],
  [1_781_524_799_999.999, '2026-06-15T11:59:59.999999Z'],
])('reads the time %j as %s', (sent, read) => {
  expect(createdAt(sent)).toEqual({ ok: true, reading: { co2: 1, voc: 2, created_at: read } });
});

const NOT_A_TIME = 'must be a time like "2026-01-31T12:00:00Z", or seconds or milliseconds since 1970';
const NO_OFFSET = 'has no offset from UTC: add "Z" if the time is in UTC, or an offset like "+02:00"';
const NO_SUCH_TIME = 'is not a valid date and time';
const NO_TIME_TYPE = 'must be a time as text, or seconds or milliseconds since 1970';
const ahead = (shown: string) =>
  `is ${shown}, and the server's clock says 2026-06-15T12:00:00.000Z: it may be at most 60 s ahead. Check both clocks`;
const early = (shown: string) =>
  `is ${shown}, and the server's clock says 2026-06-15T12:00:00.000Z: times before 2000 are refused. ` +
  "Set the sensor's clock, or leave the time out";

test.each([
  ['2026-06-15T12:00:00', NO_OFFSET],
  ['2026-06-15 12:00', NO_OFFSET],
  ['2026-06-15T12:00:00.123456', NO_OFFSET],
  ['2025-02-29T00:00:00Z', NO_SUCH_TIME],
  ['1900-02-29T00:00:00Z', NO_SUCH_TIME],
  ['2026-06-31T00:00:00Z', NO_SUCH_TIME],
  ['2026-00-15T00:00:00Z', NO_SUCH_TIME],
  ['2026-13-01T00:00:00Z', NO_SUCH_TIME],
  ['2026-06-00T00:00:00Z', NO_SUCH_TIME],
  ['2026-06-15T24:00:00Z', NO_SUCH_TIME],
  ['2026-06-15T23:60:00Z', NO_SUCH_TIME],
  ['2026-06-15T23:59:60Z', NO_SUCH_TIME],
  ['2026-06-15T12:00:00+24:00', NO_SUCH_TIME],
  ['2026-06-15T12:00:00+00:60', NO_SUCH_TIME],
  ['2026-06-15 24:00:00 +01:00', NO_SUCH_TIME],
  ['2026-06-15 12:00:00 Europe/Berlin', NOT_A_TIME],
  ['2026-06-15', NOT_A_TIME],
  ['15.06.2026 12:00', NOT_A_TIME],
  ['6/15/2026 12:00:00Z', NOT_A_TIME],
  ['12:00:00Z', NOT_A_TIME],
  ['', NOT_A_TIME],
  ['yesterday', NOT_A_TIME],
  ['-1', NOT_A_TIME],
  ['1e9', NOT_A_TIME],
  [`2026-06-15T12:00:00.${'1'.repeat(44)}Z`, NOT_A_TIME],
  [Number.NaN, NOT_A_TIME],
  [Number.POSITIVE_INFINITY, NOT_A_TIME],
  [true, NO_TIME_TYPE],
  [[], NO_TIME_TYPE],
  [{}, NO_TIME_TYPE],
  ['2026-06-15T12:15:00.001Z', ahead('2026-06-15T12:15:00.001Z')],
  [99_999_999_999, ahead('5138-11-16T09:46:39.000Z')],
  [1e300, ahead('1e+297 s after 1970')],
  ['9999-12-31T23:59:59Z', ahead('9999-12-31T23:59:59.000Z')],
  [946_684_799, early('1999-12-31T23:59:59.000Z')],
  [100_000_000_000, early('1973-03-03T09:46:40.000Z')],
  ['1999-12-31T23:59:59.999Z', early('1999-12-31T23:59:59.999Z')],
  ['2000-01-01T00:00:00+00:01', early('1999-12-31T23:59:00.000Z')],
  [0, early('1970-01-01T00:00:00.000Z')],
  [-1, early('1969-12-31T23:59:59.000Z')],
  ['1969-12-31T23:59:59Z', early('1969-12-31T23:59:59.000Z')],
])('rejects the time %j: %s', (sent, detail) => {
  expect(createdAt(sent)).toEqual({ ok: false, errors: [{ field: 'created_at', detail }] });
});

test.each([
  ['2026-06-15T12:01:00.001Z', 1],
  [1_781_524_860.001, 1],
  ['2026-06-15T12:15:00Z', 14 * 60_000],
])('the time %j is valid in %d ms', (sent, waitMs) => {
  const read = new Date(typeof sent === 'number' ? sent * 1000 : sent).toISOString();
  const errors = [{ field: 'created_at', detail: ahead(read) }];
  const reading = { co2: 1, voc: 2, created_at: sent };
  expect(createdAt(sent)).toEqual({ ok: false, errors, waitMs });
  expect(parseReading(reading, { now: NOW, ifAhead: 'refused' })).toEqual({ ok: false, errors });
  expect(parseReading(reading, { now: NOW, ifAhead: 'now' })).toEqual({
    ok: true,
    reading: { co2: 1, voc: 2 },
    isAhead: true,
  });
  // With another fault, the reading is never valid.
  const broken = parseReading({ ...reading, voc: 'x' }, { now: NOW });
  expect(broken).toEqual({ ok: false, errors: [{ field: 'voc', detail: NOT_A_NUMBER }, ...errors] });
});

const sensor = (sent: unknown) => parseReading({ co2: 1, voc: 2, sensor: sent });

test.each([
  ['Bedroom', 'Bedroom'],
  [' \tKüche 🍳\r\n', 'Küche 🍳'],
  ['=1+1', '=1+1'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['🍳'.repeat(64), '🍳'.repeat(64)],
  [` ${'x'.repeat(64)} `, 'x'.repeat(64)],
  ['\u2028x', 'x'],
  // The store refuses such names only for new sensors.
  ['👩\u200d🔬', '👩\u200d🔬'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
])('reads the sensor %j as %j', (sent, read) => {
  expect(sensor(sent)).toEqual({ ok: true, reading: { co2: 1, voc: 2, sensor: read } });
});

test.each([
  ['', 'is empty: leave it out for the sensor without a name'],
  [' \n', 'is empty: leave it out for the sensor without a name'],
  ['x'.repeat(65), 'has more than 64 characters'],
  ['🍳'.repeat(65), 'has more than 64 characters'],
  ['a\u0000b', 'has a control character'],
  ['a\nb', 'has a control character'],
  ['a\u007fb', 'has a control character'],
  ['a\u0085b', 'has a control character'],
  ['a\ud83c', 'has half of a character, \\ud83c: send both halves of its surrogate pair'],
  [1, 'must be text'],
  [false, 'must be text'],
  [['Bedroom'], 'must be text'],
])('rejects the sensor %j: it %s', (sent, detail) => {
  expect(sensor(sent)).toEqual({ ok: false, errors: [{ field: 'sensor', detail }] });
});

test.each([
  [{ software_version: 'x', sensordatavalues: [] }, 'sensordatavalues', '/api/airrohr'],
  [{ nickname: 'x', readings: { temperature: 1 } }, 'readings', '/api/enviro'],
])("names the address of a device's own format: %j", (body, field, address) => {
  const detail = `belongs to a device's own format: post it to ${address}`;
  expect(parseReading(body)).toEqual({ ok: false, errors: [{ field, detail }] });
});

test('treats null for the time and the sensor as missing, and knows the id of a stored reading', () => {
  const body = { co2: 1, voc: 2, created_at: null, sensor: null, id: 7 };
  expect(parseReading(body)).toEqual({ ok: true, reading: { co2: 1, voc: 2 } });
});

test('returns the errors of all four members', () => {
  const parsed = parseReading({ co2: 'x', voc: '', created_at: 'x', sensor: '' });
  expect(!parsed.ok && parsed.errors.map(({ field }) => field)).toEqual([
    'co2',
    'voc',
    'created_at',
    'sensor',
  ]);
});

test('ignores inherited members', () => {
  expect(parseReading(JSON.parse('{"__proto__": {"co2": 1, "voc": 2}}'))).toMatchObject({ ok: false });
  expect(parseReading(Object.create({ co2: 1, voc: 2 }))).toMatchObject({ ok: false });
});

test('returns finite numbers or at least one error for any input', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), fc.anything(), (co2, voc) => {
      const parsed = parseReading({ co2, voc });
      const isValid = (value: unknown) => value === null || Number.isFinite(value);
      if (parsed.ok) expect(Object.values(parsed.reading).every(isValid)).toBe(true);
      else expect(parsed.errors.length).toBeGreaterThan(0);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('reads every finite number exactly, as a number or as text', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const parsed = parseReading({ co2: number, voc: String(number) });
      expect(parsed).toMatchObject({ ok: true });
      if (parsed.ok)
        expect([Number(parsed.reading.co2) + 0, Number(parsed.reading.voc) + 0]).toEqual([
          number + 0,
          number + 0,
        ]);
    }),
    { seed: 2, numRuns: 500 },
  );
});
