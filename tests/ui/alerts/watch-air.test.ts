import { expect, test } from 'vitest';
import type { Reading } from '../../../app/readings/reading';
import { type Told, watchAir } from '../../../app/ui/alerts/watch-air';
import { reading, START } from '../../support/readings/readings';
import { RULES } from '../../support/readings/thresholds';

const PAGE_RULES = { ...RULES, on: ['poor', 'silent'] as const };
const MINUTE = 60_000;
const at = (minute: number) => START + minute * MINUTE;

let id = 0;
/** Returns readings of a sensor, one a minute. */
function minutes(from: number, to: number, co2: number, sensor?: string): Reading[] {
  return Array.from({ length: to - from }, (_, i) => {
    id += 1;
    return reading(id, { co2, voc: 100, sensor, created_at: new Date(at(from + i)).toISOString() });
  });
}

const watch = () => watchAir({ ...PAGE_RULES, on: [...PAGE_RULES.on] }, 'UTC');
const NOTHING: Told = {};

test('tells once when the air has been poor for long enough, and once when it is good again', () => {
  const air = watch();
  air.begin(minutes(0, 5, 600), NOTHING, at(5));
  expect(air.take(minutes(5, 9, 2100), at(9))).toEqual([]);
  expect(air.take(minutes(9, 12, 2100), at(12))).toMatchObject([
    {
      kind: 'entered',
      state: 'poor',
      title: 'Poor air',
      text: 'CO2 is 2100 PPM, above 2000 since Fri 10:05, for 6 min.',
    },
  ]);
  expect(air.take(minutes(12, 15, 2100), at(15))).toEqual([]);
  expect(air.take(minutes(15, 22, 600), at(22))).toMatchObject([{ kind: 'ended', title: 'Good air again' }]);
  expect(air.take([], at(23))).toEqual([]);
});

test('tells nothing of what was so at first, but that it is over', () => {
  const air = watch();
  air.begin([...minutes(0, 3, 2100), ...minutes(-20, -19, 600, 'Lab')], NOTHING, at(3));
  expect(air.take(minutes(3, 10, 2100), at(10))).toEqual([]);
  expect(air.take([...minutes(10, 20, 600), ...minutes(10, 20, 600, 'Lab')], at(20))).toMatchObject([
    { kind: 'ended', sensor: '', state: 'good' },
  ]);
});

test('tells that a sensor has gone silent, and that it is back', () => {
  const air = watch();
  air.begin(minutes(0, 5, 600), NOTHING, at(5));
  expect(air.take([], at(18))).toEqual([]);
  expect(air.take([], at(20))).toMatchObject([{ kind: 'entered', state: 'silent', title: 'No readings' }]);
  expect(air.take([], at(40))).toEqual([]);
  expect(air.take(minutes(40, 41, 600), at(41))).toMatchObject([{ kind: 'ended', title: 'Readings again' }]);
});

test('the tab that takes over tells what the one before it has not told, and nothing twice', () => {
  const [first, second] = [watch(), watch()];
  first.begin([...minutes(0, 5, 600), ...minutes(0, 5, 600, 'constructor')], NOTHING, at(5));
  const poor = minutes(5, 12, 2100);
  expect(first.take(poor, at(12))).toHaveLength(1);
  const other = minutes(5, 12, 2100, 'constructor');
  second.begin(
    [...minutes(0, 5, 600), ...poor, ...minutes(0, 5, 600, 'constructor'), ...other],
    first.told(),
    at(13),
  );
  expect(second.take([], at(13))).toMatchObject([{ sensor: 'constructor', state: 'poor' }]);
  expect(second.take([], at(14))).toEqual([]);
});
