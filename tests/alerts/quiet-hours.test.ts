import { expect, test } from 'vitest';
import { isQuiet } from '../../app/alerts/quiet-hours';

const NIGHT = { from: '22:00', to: '07:00' };
const NOON = { from: '12:00', to: '13:30' };

test.each([
  ['2026-01-02T21:59:59Z', NIGHT, 'UTC', false],
  ['2026-01-02T22:00:00Z', NIGHT, 'UTC', true],
  ['2026-01-03T00:00:00Z', NIGHT, 'UTC', true],
  ['2026-01-03T06:59:59Z', NIGHT, 'UTC', true],
  ['2026-01-03T07:00:00Z', NIGHT, 'UTC', false],
  ['2026-01-03T12:00:00Z', NOON, 'UTC', true],
  ['2026-01-03T13:30:00Z', NOON, 'UTC', false],
  ['2026-01-03T00:00:00Z', NOON, 'UTC', false],
  // UTC+1 in winter, +2 in summer.
  ['2026-01-02T20:59:59Z', NIGHT, 'Europe/Berlin', false],
  ['2026-01-02T21:00:00Z', NIGHT, 'Europe/Berlin', true],
  ['2026-07-02T20:00:00Z', NIGHT, 'Europe/Berlin', true],
  ['2026-07-03T05:00:00Z', NIGHT, 'Europe/Berlin', false],
  ['2026-01-02T16:30:00Z', NIGHT, 'Asia/Kolkata', true],
  // The clocks go from 02:00 to 03:00: hours that end at half past two end at three.
  ['2026-03-29T00:59:59Z', { from: '22:00', to: '02:30' }, 'Europe/Berlin', true],
  ['2026-03-29T01:00:00Z', { from: '22:00', to: '02:30' }, 'Europe/Berlin', false],
  // The night in which the clocks go back is an hour longer.
  ['2026-10-25T05:59:59Z', NIGHT, 'Europe/Berlin', true],
  ['2026-10-25T06:00:00Z', NIGHT, 'Europe/Berlin', false],
])('at %s, hours %j in %s are quiet: %s', (time, hours, timeZone, expected) => {
  expect(isQuiet(hours, timeZone, Date.parse(time))).toBe(expected);
});
