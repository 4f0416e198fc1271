import { expect, test, vi } from 'vitest';
import {
  airReadings,
  inMinutes,
  MINUTE,
  minute,
  type Point,
  startWatching,
} from '../support/alerts/watching';
import { START } from '../support/readings/readings';

const DAY = 24 * 60;

/** Stores readings in parts, judges them after each part, and returns the transitions. */
async function transitionsOf(now: number, ...parts: Point[][]): Promise<string[]> {
  const watching = await startWatching();
  watching.at(now);
  for (const part of parts) await watching.insert(airReadings(part));
  return inMinutes(watching.transitions());
}

const poorFrom = (from: number, to: number): Point[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [from + i, 2104]);

test('a late reading interrupts a run, so its transition is withdrawn', async () => {
  expect(await transitionsOf(5, poorFrom(0, 5))).toEqual(['5: good -> poor since 0']);
  expect(await transitionsOf(5, poorFrom(0, 5), [[2.5, 500]])).toEqual([]);
});

test('a late reading extends a run, so its transition is earlier', async () => {
  expect(await transitionsOf(7, [[0, 500]], poorFrom(2, 7), [[1, 2104]])).toEqual([
    '6: good -> poor since 1',
  ]);
});

test('a late reading fills a silence', async () => {
  const gap: Point[] = [
    [0, 500],
    [20, 500],
  ];
  expect(await transitionsOf(20, gap)).toEqual(['15: good -> silent since 0', '20: silent -> good']);
  expect(await transitionsOf(20, gap, [[10, 500]])).toEqual([]);
});

test('a late reading from before the first one becomes the first', async () => {
  expect(await transitionsOf(5, poorFrom(1, 5), [[0, 2104]])).toEqual(['5: good -> poor since 0']);
});

test('keeps the last value when readings are judged again from a later time', async () => {
  // CO2 arrives every 14 minutes, and the first reading to be judged again has none.
  const points = Array.from({ length: 130 }, (_, i): Point => (i % 14 < 6 ? [i, 2104] : [i, null, 100]));
  for (let late = 100; late < 114; late++) {
    const watching = await startWatching();
    watching.at(129);
    await watching.insert(airReadings(points));
    await watching.insert(airReadings([[late + 0.5, null, 100]]));
    await watching.reopen();
    expect(inMinutes(watching.transitions())).toEqual(['5: good -> poor since 0']);
    expect(watching.alerts.sensors.get('')?.air).toMatchObject({ level: 'poor', levelSince: minute(0) });
  }
});

test('readings that were too late stay excluded when others are judged again', async () => {
  const known = [-40, -30, -20, -10, -1, 12, DAY + 9.5].map((at): Point => [at, 500]);
  const parts: Point[][] = [known, poorFrom(0, 9), [[9.75, 2104]]];
  const silence = ['27: good -> silent since 12', '1449.5: silent -> good'];
  expect(await transitionsOf(DAY + 10, ...parts)).toEqual(silence);
  expect(await transitionsOf(DAY + 10, parts.flat())).toEqual(silence);
});

test('a reading that is exactly a day late is judged', async () => {
  const watching = await startWatching();
  watching.at(DAY);
  await watching.insert(airReadings([[DAY, 500]]));
  await watching.insert(airReadings([[-0.001, 500]]));
  expect(watching.alerts.sensors.get('')?.air.oldest).toBe(minute(DAY));
  await watching.insert(airReadings([[0, 500]]));
  expect(watching.alerts.sensors.get('')?.air.oldest).toBe(minute(0));
});

test('continually late readings cause few reads, even during a long silence', async () => {
  const watching = await startWatching({ silentAfterMs: 7 * DAY * MINUTE });
  watching.at(2 * DAY);
  await watching.insert(airReadings(Array.from({ length: 2 * DAY }, (_, i): Point => [i, 500])));
  const read = vi.spyOn(watching.readings, 'read');
  for (let late = 0; late < 180; late++) {
    await watching.insert(airReadings([[2 * DAY + late, 500]]));
    await watching.insert(airReadings([[2 * DAY + late - 0.5, 500]]));
  }
  const starts = read.mock.calls.flatMap(([{ sensor, from }]) =>
    sensor === undefined ? [] : [from as string],
  );
  const minutes = starts.map((from) => (Date.parse(from) - START) / MINUTE);
  // The first late reading causes two reads of all readings.
  expect(minutes.filter((from) => from <= DAY)).toHaveLength(2);
  expect(
    minutes.slice(2).every((from, i) => from >= 2 * DAY + i - 62),
    String(minutes),
  ).toBe(true);
});

test('judges a sensor once a round, even with many late readings, newest first', async () => {
  const watching = await startWatching();
  watching.at(DAY);
  await watching.insert(airReadings([[DAY, 500]]));
  const read = vi.spyOn(watching.readings, 'read');
  await watching.insert(airReadings(Array.from({ length: 1400 }, (_, i): Point => [DAY - 1 - i, 500])));
  expect(read.mock.calls.filter(([{ sensor }]) => sensor !== undefined)).toHaveLength(1);
});

test('a round ends on time, other sensors come next, and the rest survives a restart', async () => {
  const watching = await startWatching({}, { lateMs: 0 });
  watching.at(20);
  const sensors = ['Attic', 'Cellar', 'Den'];
  for (const sensor of sensors) await watching.insert(airReadings([[20, 2104]], sensor));
  const late = sensors.flatMap((sensor) => airReadings(poorFrom(12, 19).reverse(), sensor));
  await watching.insert([...late, ...airReadings(poorFrom(14, 20), 'Kitchen')]);
  expect(watching.notified()).toEqual(['entered: Kitchen: poor air', 'entered: Attic: poor air']);
  expect(watching.isDue()).toBe(true);
  await watching.reopen();
  for (let round = 0; round < 2; round++) await watching.round();
  expect(watching.notified().slice(2)).toEqual(['entered: Cellar: poor air', 'entered: Den: poor air']);
  for (const sensor of sensors) {
    const own = watching.transitions().filter((transition) => transition.sensor === sensor);
    expect(inMinutes(own), sensor).toEqual(['17: good -> poor since 12']);
  }
});
