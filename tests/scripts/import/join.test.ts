import { expect, test } from 'vitest';
import { joinMetrics } from '../../../scripts/import/join.js';

type Row = [seconds: number, value: string | null];

async function* events(rows: Row[], firstLine: number) {
  for (const [i, [seconds, value]] of rows.entries())
    yield { line: firstLine + i, time: seconds * 1e6, value };
}

/** Joins rows of CO2, on the lines from 2, with rows of VOC, on the lines from 102. */
async function join(co2: Row[], voc: Row[]) {
  const readings: unknown[] = [];
  const joined = joinMetrics([events(co2, 2), events(voc, 102)], (time, values) => [
    time / 1e6,
    values.co2,
    values.voc,
  ]);
  for await (const { reading } of joined) if (reading) readings.push(reading);
  return readings;
}

test('values that are at most 5 s apart are one reading, at the time of the first', async () => {
  const rows = await join(
    [
      [0, '400'],
      [60, '401'],
      [125, '402'],
    ],
    [
      [0, '10'],
      [65, '11'],
      [120, '12'],
    ],
  );
  expect(rows).toEqual([
    [0, '400', '10'],
    [60, '401', '11'],
    [120, '402', '12'],
  ]);
});

test('a value that changes alone is a reading with the last value of the other metric', async () => {
  const rows = await join(
    [
      [0, '400'],
      [60, '401'],
      [120, '402'],
    ],
    [
      [1, '10'],
      [90, '11'],
    ],
  );
  expect(rows).toEqual([
    [0, '400', '10'],
    [60, '401', '10'],
    [90, '401', '11'],
    [120, '402', '11'],
  ]);
});

test('the last value holds for an hour, and not beyond one that is unavailable', async () => {
  const rows = await join(
    [
      [0, '400'],
      [3600, '401'],
      [3700, '402'],
      [3800, '403'],
      [3900, null],
      [4000, '404'],
    ],
    [
      [0, '10'],
      [3750, '11'],
      [3790, null],
      [3950, '12'],
    ],
  );
  expect(rows).toEqual([
    [0, '400', '10'],
    [3600, '401', '10'],
    [3700, '402', null],
    [3750, '402', '11'],
    [3800, '403', null],
    [3950, null, '12'],
    [4000, '404', '12'],
  ]);
});

test('without the other metric, every row is a reading', async () => {
  expect(
    await join(
      [
        [0, '400'],
        [1, '401'],
      ],
      [],
    ),
  ).toEqual([
    [0, '400', null],
    [1, '401', null],
  ]);
});
