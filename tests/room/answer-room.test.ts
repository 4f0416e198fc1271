import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { singleton } from '../../app/config/singleton.server';
import { answerAirings, answerVentilation } from '../../app/room/answer-room.server';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { THRESHOLDS } from '../support/readings/readings';
import { officeReadings, officeTime } from '../support/server/office';
import { temporaryFolder } from '../support/server/server';

const secondsOf = (time: string) => Date.parse(time) / 1000;
/** While the window is open on the last day. */
const NOW = secondsOf(officeTime(5, 725)) + 10;
const WEEK = { from: NOW - 7 * 86_400, to: NOW };

const store = openSqliteStore(`${temporaryFolder()}/readings.db`, THRESHOLDS);
/** The seconds of readings that were read, and the days of findings. */
let read = { seconds: 0, days: 0 };
const counted = {
  ...store,
  rollUps(query: Parameters<typeof store.rollUps>[0]) {
    if (query.step === 60) read.seconds += query.to - query.from;
    return store.rollUps(query);
  },
  room: {
    ...store.room,
    days(query: Parameters<typeof store.room.days>[0]) {
      read.days += (query.to - query.from) / 86_400;
      return store.room.days(query);
    },
  },
};
const sourceOf = (sensor: string) => ({
  ...{ store: counted, sensor },
  settings: { thresholds: THRESHOLDS, CO2_OUTDOOR: 425 },
});
const office = sourceOf('Office');

async function insert(readings: ReturnType<typeof officeReadings>): Promise<void> {
  for (let i = 0; i < readings.length; i += 500) await store.insertAll(readings.slice(i, i + 500));
}

/** Returns the answers about a sensor's room in the minute `NOW`, without its name. */
async function answersAbout(sensor: string) {
  const { sensor: _, ...ventilation } = await answerVentilation(sourceOf(sensor), NOW, NOW);
  return { ventilation, airings: await answerAirings(sourceOf(sensor), WEEK, NOW) };
}

const readings = officeReadings('Office').filter(({ created_at }) => secondsOf(created_at) <= NOW);

beforeAll(async () => {
  await insert(readings);
  await answersAbout('Office');
});

beforeEach(() => {
  read = { seconds: 0, days: 0 };
});

afterAll(() => store.close());

test('a repeated question reads the current day and half a day before it, and no findings', async () => {
  const { airing } = await answerVentilation(office, NOW, NOW);
  expect(airing).toMatchObject({ is_enough: false });
  expect(read).toEqual({ seconds: expect.any(Number), days: 0 });
  expect(read.seconds).toBeLessThanOrEqual(36 * 3600);
  const { airings } = await answerAirings(office, WEEK, NOW);
  expect(airings).toHaveLength(11);
  expect(read.seconds).toBeLessThanOrEqual(2 * 36 * 3600);
  expect(read.days).toBe(0);
});

test('a new reading changes the answer', async () => {
  const before = await answerVentilation(office, NOW, NOW);
  const newest = { ...readings[0], sensor: 'Office', co2: 500, voc: null };
  await store.insert({ ...newest, created_at: new Date((NOW + 30) * 1000).toISOString() });
  expect(await answerVentilation(office, NOW + 50, NOW + 50)).not.toMatchObject({
    rebreathed: before.rebreathed,
  });
});

test('late readings of any hour give the answers of readings in order', async () => {
  const isLate = ({ created_at }: { created_at: string }) =>
    [secondsOf(officeTime(4, 965)), secondsOf(officeTime(5, 300)), secondsOf(officeTime(5, 700))].some(
      (time) => secondsOf(created_at) >= time && secondsOf(created_at) < time + 600,
    );
  const named = (sensor: string) => readings.map((reading) => ({ ...reading, sensor }));
  await insert(named('Late').filter((reading) => !isLate(reading)));
  const before = await answersAbout('Late');
  await insert(named('Late').filter(isLate));
  await insert(named('In order'));
  const after = await answersAbout('Late');
  expect(after).not.toEqual(before);
  expect(after).toEqual(await answersAbout('In order'));
});

test('damaged findings are computed again', async () => {
  const right = await answersAbout('Office');
  const [{ key = '', day = 0 } = {}] = await store.room.days({ sensor: 'Office', from: 0, to: NOW });
  await store.room.keep([{ sensor: 'Office', day, key, findings: '{"air' }]);
  singleton('room-findings', () => new Map()).clear();
  expect(await answersAbout('Office')).toEqual(right);
});

test('an airing whose readings stop is listed once, and has ended after a gap', async () => {
  const last = officeTime(5, 725);
  const until = readings.filter(({ created_at }) => created_at <= last);
  await insert(until.map((reading) => ({ ...reading, sensor: 'Stopped' })));
  for (const [minutes, to] of [
    [4, null],
    [8, last],
  ] as const) {
    const at = secondsOf(last) + minutes * 60;
    const { airings } = await answerAirings(sourceOf('Stopped'), { from: at - 3600, to: at }, at);
    expect(airings?.map((airing) => airing.to)).toEqual([to]);
  }
});
