import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../support/server/api';
import {
  airingsOf,
  expectOffice,
  officeReadings,
  officeTime,
  postBatches,
  ventilationAt,
} from '../support/server/office';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

const databasePath = `${temporaryFolder()}/readings.db`;
const readings = officeReadings('Office');
const isOfLastNoon = ({ created_at }: { created_at: string }) =>
  created_at >= officeTime(5, 700) && created_at < officeTime(5, 780);

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ databasePath });
  await postBatches(server.url, readings);
});

afterAll(() => server.stop());

test('finds airings, the air changes of the closed room, and the advice', () =>
  expectOffice(server.url, 'Office'));

test('at= returns the answer of that time, regardless of later readings', async () => {
  const at = officeTime(3, 724);
  const said = await ventilationAt(server.url, 'Office', at);
  expect(said.airing).toMatchObject({ is_enough: false });
  const until = readings
    .filter(({ created_at }) => created_at < at)
    .map((reading) => ({ ...reading, sensor: 'Then' }));
  await postBatches(server.url, until);
  expect(await ventilationAt(server.url, 'Then', at)).toEqual({ ...said, sensor: 'Then' });
});

test('finds an airing in readings that arrive late', async () => {
  const late = readings.map((reading) => ({ ...reading, sensor: 'Late' }));
  await postBatches(
    server.url,
    late.filter((reading) => !isOfLastNoon(reading)),
  );
  expect(await airingsOf(server.url, 'Late')).toHaveLength(11);
  await postBatches(server.url, late.filter(isOfLastNoon));
  expect(await airingsOf(server.url, 'Late')).toEqual(await airingsOf(server.url, 'Office'));
});

test('gives the same answers after a restart', async () => {
  const before = [
    await airingsOf(server.url, 'Office'),
    await ventilationAt(server.url, 'Office', officeTime(5, 724)),
  ];
  await server.stop();
  server = await startServer({ databasePath });
  const after = [
    await airingsOf(server.url, 'Office'),
    await ventilationAt(server.url, 'Office', officeTime(5, 724)),
  ];
  expect(after).toEqual(before);
});

/** Returns one reading per minute until now, with a window opened two minutes ago. */
function justOpened(sensor: string, minutes: number) {
  const start = Date.now() - minutes * 60_000;
  return Array.from({ length: minutes + 1 }, (_, minute) => ({
    ...{ sensor, voc: null, created_at: new Date(start + minute * 60_000).toISOString() },
    co2: Math.round(425 + 975 * Math.exp((-8 * Math.max(0, minute - minutes + 2)) / 60)) + (minute % 3),
  }));
}

test('recognizes an airing within two minutes of its start', async () => {
  const start = Date.now() - 2 * 60_000;
  await postBatches(server.url, justOpened('Live', 1500));
  const { airing } = await ventilationAt(server.url, 'Live');
  expect(airing).toMatchObject({ is_enough: false });
  expect(Math.abs(Date.parse(airing?.since ?? '') - start)).toBeLessThanOrEqual(120_000);
  expect(await airingsOf(server.url, 'Live')).toEqual([expect.objectContaining({ to: null })]);
});

test('gives no findings during the first day of a sensor, and says why', async () => {
  await postBatches(server.url, justOpened('New', 1400));
  expect(await ventilationAt(server.url, 'New')).toMatchObject({
    ...{ believable: null, airing: null, rebreathed: null },
    reasons: [
      expect.stringMatching(/^Sensor: /),
      expect.stringMatching(
        /^Room: not known yet: 24 hours of readings are needed, and the last 28 days have 23\.$/,
      ),
    ],
  });
  expect(await airingsOf(server.url, 'New')).toEqual([]);
  const early = await ventilationAt(server.url, 'Office', officeTime(0, 724));
  expect(early).toMatchObject({ airing: null, rebreathed: null });
});

test.each(['ventilation', 'airings'])(
  '/api/%s requires the sensor parameter if there are several sensors',
  async (path) => {
    const { errors } = await expectProblem(await fetch(`${server.url}/api/${path}`), 400);
    expect(errors?.[0]?.field).toBe('sensor');
  },
);
