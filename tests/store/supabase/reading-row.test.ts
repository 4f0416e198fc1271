import { expect, test } from 'vitest';
import { exactUtc, readingOf } from '../../../app/store/supabase/reading-row';

test.each([
  ['2026-01-02T01:04:05.123456+00:00', '2026-01-02T01:04:05.123456Z'],
  ['2026-11-20 07:51:46.727576+00', '2026-11-20T07:51:46.727576Z'],
  ['2026-11-20T07:51:46Z', '2026-11-20T07:51:46.000Z'],
  ['2026-11-20T07:51:46.7z', '2026-11-20T07:51:46.700Z'],
  ['2026-11-20 09:51:46.7275+02', '2026-11-20T07:51:46.727500Z'],
  ['2026-11-20 09:51:46.727000+02', '2026-11-20T07:51:46.727Z'],
  ['2026-11-20 13:21:46.727576+05:30', '2026-11-20T07:51:46.727576Z'],
  ['2026-11-19 23:51:46.727576-0800', '2026-11-20T07:51:46.727576Z'],
])('converts the time %s to %s', (text, utc) => {
  expect(exactUtc(text)).toBe(utc);
});

test.each(['infinity', '-infinity', '', 'yesterday', '2026-13-40 00:00:00+00', '2026-01-02'])(
  'rejects the time %o',
  (text) => {
    expect(exactUtc(text)).toBeNull();
  },
);

test('converts numbers from text, keeps every digit of the time, and drops other columns', () => {
  const row = { id: '7', co2: '415.10', voc: '-1e3', created_at: '2026-01-02 01:04:05.123999+00', note: 'x' };
  const reading = { id: 7, co2: 415.1, voc: -1000, created_at: '2026-01-02T01:04:05.123999Z' };
  expect(readingOf(row)).toEqual(reading);
  expect(readingOf({ ...row, sensor: '' })).toEqual(reading);
  expect(readingOf({ ...row, sensor: 'Bedroom' })).toEqual({ ...reading, sensor: 'Bedroom' });
});

test('keeps a metric that the sensor does not measure as null', () => {
  const row = { id: 1, co2: 415, voc: null, created_at: '2026-01-02T01:04:05Z' };
  expect(readingOf(row)).toMatchObject({ co2: 415, voc: null });
  expect(readingOf({ ...row, co2: null, voc: '7' })).toMatchObject({ co2: null, voc: 7 });
});

const row = { id: 1, co2: 1, voc: 1, created_at: '2026-01-02T01:04:05Z' };

test.each([
  null,
  undefined,
  'text',
  [],
  {},
  { ...row, id: null },
  { ...row, id: '9007199254740993' },
  { ...row, id: 'b3c1' },
  { ...row, co2: null, voc: null },
  { ...row, co2: undefined, voc: null },
  { ...row, sensor: null },
  { ...row, co2: 'NaN' },
  { ...row, co2: '' },
  { ...row, voc: 'Infinity' },
  { ...row, voc: true },
  { ...row, created_at: null },
  { ...row, created_at: 'infinity' },
])('rejects the row %o', (value) => {
  expect(readingOf(value)).toBeNull();
});
