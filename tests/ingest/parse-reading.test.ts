import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReading } from '../../app/ingest/parse-reading.server';

const MISSING = 'is missing: send a number';
const EMPTY = 'is empty: send a number';
const NOT_A_NUMBER = 'must be a number, like 415 or "415.5"';
const COMMA = 'must be a number with a point, not a comma, before its decimals';
const WRONG_TYPE = 'must be a number, or text of one';
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
  [undefined, MISSING],
  [null, MISSING],
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
  ['NaN', NOT_A_NUMBER],
  ['Infinity', NOT_A_NUMBER],
  ['٤١٥', NOT_A_NUMBER],
  ['<script>', NOT_A_NUMBER],
  ['1e309', INFINITE],
  ['-1e309', INFINITE],
  ['9'.repeat(400), INFINITE],
  [Number.POSITIVE_INFINITY, INFINITE],
  [Number.NEGATIVE_INFINITY, INFINITE],
  [Number.NaN, INFINITE],
  [true, WRONG_TYPE],
  [[415], WRONG_TYPE],
  [{ valueOf: 415 }, WRONG_TYPE],
])('rejects %j and names the field: %s', (sent, detail) => {
  expect(parseReading({ co2: sent, voc: 1 })).toEqual({ ok: false, errors: [{ field: 'co2', detail }] });
  expect(parseReading({ co2: 1, voc: sent })).toEqual({ ok: false, errors: [{ field: 'voc', detail }] });
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

test.each([[null], [undefined], [415], ['{"co2":1,"voc":2}'], [true], [[]], [[1, 2]], [{}]])(
  'finds both fields missing from the body %j',
  (body) => {
    expect(parseReading(body)).toEqual({
      ok: false,
      errors: [
        { field: 'co2', detail: MISSING },
        { field: 'voc', detail: MISSING },
      ],
    });
  },
);

test("ignores other members: a client can't set the id or the time", () => {
  const body = { co2: 1, voc: 2, id: 7, created_at: '1970-01-01T00:00:00.000Z', extra: {} };
  expect(parseReading(body)).toEqual({ ok: true, reading: { co2: 1, voc: 2 } });
});

test('ignores inherited members', () => {
  expect(parseReading(JSON.parse('{"__proto__": {"co2": 1, "voc": 2}}'))).toMatchObject({ ok: false });
  expect(parseReading(Object.create({ co2: 1, voc: 2 }))).toMatchObject({ ok: false });
});

test('returns two finite numbers or at least one error, whatever is sent', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), fc.anything(), (co2, voc) => {
      const parsed = parseReading({ co2, voc });
      if (parsed.ok) expect(Object.values(parsed.reading).every(Number.isFinite)).toBe(true);
      else expect(parsed.errors.length).toBeGreaterThan(0);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('reads every finite number exactly, sent as a number or as text', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const parsed = parseReading({ co2: number, voc: String(number) });
      expect(parsed).toMatchObject({ ok: true });
      if (parsed.ok)
        expect([parsed.reading.co2 + 0, parsed.reading.voc + 0]).toEqual([number + 0, number + 0]);
    }),
    { seed: 2, numRuns: 500 },
  );
});
