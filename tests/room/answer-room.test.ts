import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { singleton } from '../../app/config/singleton.server';
import type { ReadingInput } from '../../app/readings/reading';
import { absoluteHumidity } from '../../app/readings/room/moist-air';
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

async function insert(readings: readonly ReadingInput[]): Promise<void> {
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

/** Returns one reading a minute of a room of 21 °C with a hygrometer, for two days until `NOW`: a window is open every 12 hours. */
function hygrometerReadings(sensor: string) {
  const saturated = absoluteHumidity({ temperature: 21, humidity: 100 });
  return Array.from({ length: 2880 }, (_, i) => {
    const since = (i + 200) % 720;
    const closed = (minutes: number) => 4 - 2.4 * Math.exp(-minutes / 120);
    const grams = 5.5 + (since < 680 ? closed(since) : closed(680) * Math.exp((680 - since) / 6));
    const humidity = Number(((100 * (grams + 0.02 * (i % 3))) / saturated).toFixed(1));
    const created_at = new Date((NOW - (2880 - i) * 60) * 1000).toISOString();
    return { sensor, co2: null, voc: null, temperature: 21, humidity, created_at };
  });
}

/** Returns a reading every ten minutes for ten days, until `hours` before `NOW`. */
function gardenReadings(hours: number) {
  return Array.from({ length: 1440 }, (_, i) => {
    const created_at = new Date((NOW - hours * 3600 - (1440 - i) * 600 + 300) * 1000).toISOString();
    return {
      sensor: 'Garden',
      co2: 447 + (i % 5),
      voc: null,
      pm25: 48,
      temperature: 3,
      humidity: 80,
      created_at,
    };
  });
}

const withGarden = (sensor: string) => ({
  ...{ store: counted, sensor },
  settings: { thresholds: THRESHOLDS, CO2_OUTDOOR: 425, OUTDOOR_SENSOR: 'Garden' },
});

test('airings are found in the humidity where CO2 isn’t measured, also from late readings and at an earlier time', async () => {
  const all = hygrometerReadings('Bath');
  const airing = secondsOf(all[1200]?.created_at ?? '');
  await insert(all.filter((_, i) => i % 2 === 0));
  await answerAirings(sourceOf('Bath'), WEEK, NOW);
  await insert(all.filter((_, i) => i % 2 === 1));
  const { airings } = await answerAirings(sourceOf('Bath'), WEEK, NOW);
  expect(airings).toHaveLength(4);
  for (const { from_ppm, from_g_m3, to_g_m3 } of airings ?? []) {
    expect(from_ppm).toBe(null);
    expect((from_g_m3 ?? 0) - (to_g_m3 ?? 0)).toBeGreaterThan(1.5);
  }
  const at = async (minutes: number) =>
    (await answerVentilation(sourceOf('Bath'), airing + minutes * 60, NOW)).moisture?.airing;
  expect([await at(-5), await at(6)]).toEqual([null, expect.objectContaining({ is_enough: false })]);
  expect(await at(30)).toMatchObject({ is_enough: true });
  await insert(hygrometerReadings('With CO2').map((reading, i) => ({ ...reading, co2: 600 + (i % 7) })));
  expect((await answerVentilation(sourceOf('With CO2'), airing + 360, NOW)).moisture).toMatchObject({
    airing: null,
  });
});

test('the sensor outdoors serves all rooms, and nothing is said about a room there', async () => {
  await insert(gardenReadings(0));
  const bath = await answerVentilation(withGarden('Bath'), NOW, NOW);
  expect(bath.moisture).toMatchObject({
    airing_will: 'dry',
    outdoor_absolute_humidity: 4.8,
    mould: { of_hours: 24 },
  });
  expect(bath.outdoors).toMatchObject({
    sensor: 'Garden',
    is_current: true,
    pm25: 48,
    co2: expect.closeTo(450, -1),
  });
  // CO2 of 600 PPM is compared with the average outdoors instead of `CO2_OUTDOOR`.
  const { rebreathed } = await answerVentilation(withGarden('With CO2'), NOW, NOW);
  expect(rebreathed).toBeCloseTo((603 - 450) / 38_000, 4);
  expect(await answerAirings(withGarden('Garden'), WEEK, NOW)).toEqual({ airings: [], missing: 0 });
  const garden = await answerVentilation(withGarden('Garden'), NOW, NOW);
  expect(garden).toMatchObject({
    airing: null,
    believable: null,
    moisture: { airing_will: null, mould: null },
  });
  expect(garden.reasons).toEqual([expect.stringMatching(/^Room: this sensor is outdoors/)]);
});

test('outdoor air is unknown once its last reading is old, and as it was at an earlier time', async () => {
  const later = NOW + 3 * 3600;
  const { outdoors, reasons } = await answerVentilation(withGarden('Bath'), later, later);
  expect(outdoors).toMatchObject({ is_current: false, pm25: null, temperature: null });
  expect(reasons.at(-1)).toMatch(
    /^Outdoors: unknown, because Garden's last reading is 3 h( \d+ min)? old\.$/,
  );
  const then = await answerVentilation(withGarden('Bath'), NOW, later);
  expect(then.outdoors).toMatchObject({ is_current: true, pm25: 48 });
});

test('settings stand for a sensor outdoors', async () => {
  const settings = { ...sourceOf('Bath').settings, OUTDOOR_TEMPERATURE: 22, OUTDOOR_HUMIDITY: 85 };
  const { moisture, outdoors } = await answerVentilation({ ...sourceOf('Bath'), settings }, NOW, NOW);
  expect(outdoors).toBe(null);
  expect(moisture).toMatchObject({ airing_will: 'moisten', mould: { risk: 'none' } });
});

test('a sensor that can’t be outdoors, or has no readings, is told', async () => {
  const created_at = new Date((NOW - 60) * 1000).toISOString();
  await insert([{ sensor: 'Hall', co2: 1200, voc: null, created_at }]);
  const told = async (OUTDOOR_SENSOR: string) => {
    const settings = { ...sourceOf('Bath').settings, OUTDOOR_SENSOR };
    return (await answerVentilation({ ...sourceOf('Bath'), settings }, NOW, NOW)).reasons.at(-1);
  };
  expect(await told('Hall')).toBe("Outdoors: 1200 PPM of Hall can't be outdoor air, so CO2_OUTDOOR counts.");
  expect(await told('Gardn')).toBe('Outdoors: unknown, because Gardn has no readings of the last week.');
});
