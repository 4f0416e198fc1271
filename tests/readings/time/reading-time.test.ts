import { expect, test } from 'vitest';
import { compareTimes } from '../../../app/readings/reading';
import { formatReadingTime, parseReadingTime, storedMicros } from '../../../app/readings/time/reading-time';
import { seededRandom } from '../../../scripts/seed/seeded-random.js';

const SEED = 20260102;
const START = Date.parse('2026-11-21T22:30:00Z') * 1000;

test.each([
  ['2026-11-21T22:30:00Z', START],
  ['2026-11-21T22:30:00.5Z', START + 500_000],
  ['2026-11-21T22:30:00.123Z', START + 123_000],
  ['2026-11-21T22:30:00.123456Z', START + 123_456],
  ['2026-11-21T22:30:00.1234569Z', START + 123_456],
  ['2026-11-21 22:30:00,25z', START + 250_000],
  ['2026-11-21T23:30:00+01:00', START],
  ['2026-11-22T04:15:00+0545', START],
  ['2026-11-21T14:30:00-08', START],
  ['2026-11-21 23:30:00 +01:00', START],
  ['2026-11-21 23:30:00.000 +0100', START],
  ['2026-11-21 22:30:00 Z', START],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) * 1000],
  ['1969-12-31T23:59:59.999999Z', -1],
  ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59) * 1000],
  ['9999-12-31T23:59:59+01:00', Date.UTC(9999, 11, 31, 22, 59, 59) * 1000],
  ['0100-01-01T00:00:00Z', Date.UTC(100, 0) * 1000],
])('parses %s', (text, time) => {
  expect(parseReadingTime(text)).toBe(time);
});

test.each([
  '',
  'now',
  '2026-11-21',
  '2026-11-21T22:30:00',
  '2026-11-21T22:30Z',
  '2026-11-21 22:30:00  +01:00',
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+01:60',
  '0025-01-01T00:00:00Z',
  '0100-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-01:00',
  ' 2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z\n',
])('refuses %j', (text) => {
  expect(parseReadingTime(text)).toBeNull();
});

test.each([
  [START, '2026-11-21T22:30:00.000Z'],
  [START + 7000, '2026-11-21T22:30:00.007Z'],
  [START + 7, '2026-11-21T22:30:00.000007Z'],
  [START + 123_456, '2026-11-21T22:30:00.123456Z'],
  [0, '1970-01-01T00:00:00.000Z'],
  [-1, '1969-12-31T23:59:59.999999Z'],
])('formats %i as %s', (time, text) => {
  expect(formatReadingTime(time)).toBe(text);
});

test(`a time stays the same when formatted and parsed, and sorts like its text (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const [first, last] = [Date.UTC(1900) * 1000, Date.UTC(2250) * 1000];
  const times = Array.from({ length: 5000 }, (_, i) => {
    const time = Math.floor(first + random() * (last - first));
    return i % 2 === 0 ? time : Math.floor(time / 1000) * 1000;
  });
  // Around midnight, and neighbours within one millisecond.
  for (const time of times.slice(0, 100)) {
    const midnight = Math.floor(time / 86_400_000_000) * 86_400_000_000;
    times.push(midnight - 1, midnight, midnight + 1, midnight + 999, midnight + 1000);
  }
  const texts = times.map(formatReadingTime);
  expect(texts.map(parseReadingTime)).toEqual(times);
  expect(texts.map(storedMicros)).toEqual(times);
  const sorted = texts.toSorted(compareTimes);
  expect(sorted.map(parseReadingTime)).toEqual(times.toSorted((a, b) => a - b));
  for (const [i, text] of texts.entries()) {
    if ((times[i] as number) % 1000 === 0) {
      expect(text).toBe(new Date((times[i] as number) / 1000).toISOString());
    }
  }
});
