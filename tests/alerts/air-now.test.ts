import { expect, test } from 'vitest';
import { notGood, notificationOf } from '../../app/alerts/air-now.server';
import type { AirState } from '../../app/readings/air/air-state';
import {
  AIR_RULES,
  airReadings,
  everyMinute,
  minute,
  type Point,
  startWatching,
} from '../support/alerts/watching';

const RULES = { ...AIR_RULES, on: ['poor', 'silent'] as ('poor' | 'silent')[] };

/** The air that the server judges, as browsers ask for it. Times are in minutes after `START`. */
async function startAsking(stored: readonly Point[], sensor = '') {
  const watching = await startWatching({}, { stored: airReadings(stored, sensor), addresses: [] });
  await watching.round();
  return {
    insert: (points: readonly Point[], sensor = '') => watching.store(airReadings(points, sensor)),
    /** The states other than good, such as `Lab: poor`. */
    async states(minutes: number) {
      watching.at(minutes);
      await watching.round();
      const answers = notGood(watching.sensors(), () => RULES, watching.now());
      return answers.map(({ sensor, state }) => `${sensor}: ${state}`);
    },
    /** The notification shown to a viewer who has seen another state. */
    async since(before: AirState, sensor = '') {
      const last = (sensor: string) => watching.alerts.lastTransition(sensor);
      const asked = { sensor, before, zone: 'UTC' };
      return (await notificationOf(watching.sensors(), last, asked, () => RULES, watching.now()))
        ?.notification;
    },
  };
}

const times = (count: number, co2: number) => Array<number>(count).fill(co2);

test('the air becomes poor after enough time above the threshold, and recovers after enough time below it', async () => {
  const asking = await startAsking(everyMinute(-5, ...times(5, 600)));
  expect(await asking.states(0)).toEqual([]);
  asking.insert(everyMinute(0, ...times(5, 2100)));
  expect(await asking.states(4)).toEqual([]);
  asking.insert(everyMinute(5, 2100, 2100));
  expect(await asking.states(6)).toEqual([': poor']);
  expect(await asking.since('good')).toEqual({
    title: 'Poor air',
    text: 'CO2 is 2100 PPM, above 2000 since Fri 10:00, for 6 min.',
  });
  expect(await asking.since('poor')).toBeNull();
  asking.insert(everyMinute(7, ...times(7, 600)));
  expect(await asking.states(13)).toEqual([]);
  expect(await asking.since('poor')).toMatchObject({ title: 'Good air again' });
});

test('a sensor without levels has no verdict to someone who saw poor air', async () => {
  const watching = await startWatching({}, { stored: [], addresses: [] });
  watching.store([{ co2: null, voc: null, temperature: 20, created_at: minute(0) }]);
  await watching.round();
  const asked = { sensor: '', before: 'poor', zone: 'UTC' } as const;
  const answer = await notificationOf(
    watching.sensors(),
    async () => null,
    asked,
    () => RULES,
    watching.now(),
  );
  expect(answer).toEqual({
    sensor: '',
    state: 'good',
    notification: {
      title: 'No verdict on the air',
      text: 'The newest values have no levels: Temperature 20 °C.',
    },
  });
});

test('a sensor whose CO2 stops in poor air is silent, not good, until CO2 arrives again', async () => {
  const watching = await startWatching({}, { stored: airReadings(everyMinute(-10, ...times(11, 2600))) });
  const warm = (minutes: number) => ({ co2: null, voc: null, temperature: 20, created_at: minute(minutes) });
  const after = async (minutes: number) => {
    watching.at(minutes);
    await watching.round();
    return notGood(watching.sensors(), () => RULES, watching.now()).map(({ state }) => state);
  };
  const run = async (from: number, to: number) => {
    for (let m = from; m <= to; m++) {
      watching.at(m);
      await watching.insert([warm(m)]);
    }
  };
  expect(await after(0)).toEqual(['poor']);
  await run(1, 15);
  expect(await after(15)).toEqual(['poor']);
  await run(16, 40);
  expect(await after(40)).toEqual(['silent']);
  const last = (sensor: string) => watching.alerts.lastTransition(sensor);
  const asked = { sensor: '', before: 'poor', zone: 'UTC' } as const;
  const answer = await notificationOf(watching.sensors(), last, asked, () => RULES, watching.now());
  expect(answer?.notification).toEqual({
    title: 'No CO2',
    text: 'CO2 was last measured Fri 10:00, 40 min ago: CO2 2600 PPM. Check the sensor. The newest reading: Temperature 20 °C.',
  });
  await watching.restart();
  watching.at(41);
  await watching.insert([{ ...warm(41), co2: 600 }]);
  expect(await after(41)).toEqual(['poor']);
  for (let m = 42; m <= 47; m++) {
    watching.at(m);
    await watching.insert([{ ...warm(m), co2: 600 }]);
  }
  expect(await after(47)).toEqual([]);
  expect([...new Set(watching.notified())]).toEqual([
    'entered: Poor air',
    'entered: No CO2',
    'ended: Readings again',
  ]);
});

test('air that was poor before the start is poor at once', async () => {
  const asking = await startAsking(everyMinute(-10, ...times(10, 2100)), 'Lab');
  expect(await asking.states(0)).toEqual(['Lab: poor']);
});

test('a reading that is older than the newest one changes nothing', async () => {
  const asking = await startAsking(everyMinute(-5, ...times(5, 600)));
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
  const asking = await startAsking(everyMinute(-5, ...times(5, 600)));
  await asking.states(0);
  for (let minutes = 1; minutes <= 14; minutes++) expect(await asking.states(minutes)).toEqual([]);
  // After a start, sensors get time to send.
  expect(await asking.states(15)).toEqual([': null']);
  expect(await asking.states(16)).toEqual([': silent']);
  expect(await asking.since('good')).toMatchObject({ title: 'No readings' });
  asking.insert([[20, 600]]);
  expect(await asking.states(20)).toEqual([]);
  expect(await asking.since('silent')).toMatchObject({ title: 'Readings again' });
});

test('a silence before the first start is not reported, and its end sends nothing', async () => {
  const asking = await startAsking([[-30, 600]], 'Lab');
  expect(await asking.states(0)).toEqual(['Lab: null']);
  for (let minutes = 1; minutes <= 15; minutes++) await asking.states(minutes);
  expect(await asking.states(16)).toEqual([]);
  asking.insert(everyMinute(17, 600), 'Lab');
  for (let minutes = 17; minutes <= 32; minutes++) expect(await asking.states(minutes)).toEqual([]);
  expect(await asking.states(33)).toEqual(['Lab: silent']);
});

test('the air of a sensor without readings is unknown', async () => {
  const asking = await startAsking([]);
  expect(await asking.since('poor', 'Lab')).toBeUndefined();
});
