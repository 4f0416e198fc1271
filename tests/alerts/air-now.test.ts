import { expect, test } from 'vitest';
import { AirInMemory, notGood, notificationOf } from '../../app/alerts/air-now.server';
import type { AirState } from '../../app/readings/air/air-state';
import type { ReadingStore } from '../../app/store/reading-store';
import {
  AIR_RULES,
  airReadings,
  everyMinute,
  MINUTE,
  memoryReadings,
  type Point,
} from '../support/alerts/watching';
import { START } from '../support/readings/readings';

const RULES = { ...AIR_RULES, on: ['poor', 'silent'] as ('poor' | 'silent')[] };

/** A store, the air judged in memory, and a clock in minutes after `START`. */
function startAsking(first: readonly Point[], sensor = '') {
  const readings = memoryReadings();
  readings.insertElsewhere(airReadings(first, sensor));
  let now = START;
  const air = new AirInMemory(readings.store as ReadingStore, RULES, () => now);
  const judge = (minutes: number) => {
    now = START + minutes * MINUTE;
    return air.judge();
  };
  return {
    insert: (points: readonly Point[], sensor = '') => readings.insert(airReadings(points, sensor)),
    /** The states other than good, such as `Lab: poor`. */
    async states(minutes: number) {
      const answers = notGood(await judge(minutes), RULES, now);
      return answers.map(({ sensor, state }) => `${sensor}: ${state}`);
    },
    /** The notification shown to a viewer who has seen another state. */
    async since(before: AirState, minutes: number, sensor = '') {
      const answer = await notificationOf(await judge(minutes), { sensor, before, zone: 'UTC' }, RULES, now);
      return answer?.notification;
    },
  };
}

const times = (count: number, co2: number) => Array<number>(count).fill(co2);

test('the air becomes poor after enough time above the threshold, and recovers after enough time below it', async () => {
  const asking = startAsking(everyMinute(-5, ...times(5, 600)));
  expect(await asking.states(0)).toEqual([]);
  asking.insert(everyMinute(0, ...times(5, 2100)));
  expect(await asking.states(4)).toEqual([]);
  asking.insert(everyMinute(5, 2100, 2100));
  expect(await asking.states(6)).toEqual([': poor']);
  expect(await asking.since('good', 6)).toEqual({
    title: 'Poor air',
    text: 'CO2 is 2100 PPM, above 2000 since Fri 10:00, for 6 min.',
  });
  expect(await asking.since('poor', 6)).toBeNull();
  asking.insert(everyMinute(7, ...times(7, 600)));
  expect(await asking.states(13)).toEqual([]);
  expect(await asking.since('poor', 13)).toMatchObject({ title: 'Good air again' });
});

test('air that was poor before the first request is poor at once, based on the latest readings', async () => {
  const asking = startAsking(everyMinute(-10, ...times(10, 2100)), 'Lab');
  expect(await asking.states(0)).toEqual(['Lab: poor']);
});

test('a reading that is older than the newest one changes nothing', async () => {
  const asking = startAsking(everyMinute(-5, ...times(5, 600)));
  await asking.states(0);
  asking.insert([
    [0, 2100],
    [1, 2100],
    [6, 2100],
  ]);
  expect(await asking.states(6)).toEqual([': poor']);
  asking.insert([[3, 600]]);
  expect(await asking.states(6)).toEqual([': poor']);
});

test('a sensor is silent after the set time without a reading, until its next reading', async () => {
  const asking = startAsking(everyMinute(-5, ...times(5, 600)));
  await asking.states(0);
  for (let minutes = 1; minutes <= 14; minutes++) expect(await asking.states(minutes)).toEqual([]);
  expect(await asking.states(15)).toEqual([': silent']);
  expect(await asking.since('good', 15)).toMatchObject({ title: 'No readings' });
  asking.insert([[20, 600]]);
  expect(await asking.states(20)).toEqual([]);
  expect(await asking.since('silent', 20)).toMatchObject({ title: 'Readings again' });
});

test('a silence before the first request is not reported, and its end sends nothing', async () => {
  const asking = startAsking([[-30, 600]], 'Lab');
  expect(await asking.states(0)).toEqual([]);
  asking.insert(everyMinute(1, 600), 'Lab');
  expect(await asking.states(1)).toEqual([]);
});

test('the air of a sensor without readings is unknown', async () => {
  const asking = startAsking([]);
  expect(await asking.since('poor', 0, 'Lab')).toBeUndefined();
});
