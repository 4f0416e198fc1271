import { expect, test } from 'vitest';
import { elapsedPart, elapsedTime } from '../../app/history/asked-span.server';
import { historySteps } from '../../app/history/history-steps.server';
import { computePattern } from '../../app/history/pattern.server';
import { summarize } from '../../app/history/summarize.server';
import type { Reading } from '../../app/readings/reading';
import { historyStore } from '../support/history/roll-up-readings';
import { THRESHOLDS } from '../support/readings/readings';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);

/** Fourteen readings in 195 seconds, in two slots. */
const FIRST = at('22:32:56');
const readings: Reading[] = Array.from({ length: 14 }, (_, i) => ({
  id: i + 1,
  co2: 600,
  voc: null,
  created_at: new Date(FIRST + i * 15_000).toISOString(),
}));
const [first, newest] = [readings[0] as Reading, readings.at(-1) as Reading];
const store = {
  ...historyStore(readings),
  lastHeard: async () => [{ name: '', newest, first_heard: first.created_at, last_heard: newest.created_at }],
  rawFrom: async (): Promise<number | null> => null,
};
const day = { sensor: '', from: at('00:00:00') / 1000, to: at('23:59:59') / 1000 };

test.each([
  ['22:36:11', 196],
  // The last slot counts until 22:40.
  ['22:38:00', 305],
  ['23:00:00', 424],
])('at %s the readings count for %d s, from the first one until now', async (now, seconds) => {
  const part = elapsedPart(day, await elapsedTime(store, '', at(now)));
  expect((await summarize(store, part, THRESHOLDS)).co2?.good_seconds).toBe(seconds);
  for (const points of [1, 300, 2000]) {
    const history = await historySteps(store, day, { points }, THRESHOLDS, at(now));
    const steps = history.ok ? history.value.answer.steps : [];
    expect(steps.reduce((sum, { co2 }) => sum + (co2?.good_seconds ?? 0), 0)).toBe(seconds);
  }
});

test.each([
  [0, 15, undefined],
  [1, 300, '2026-11-23T00:00:01.000Z'],
])(
  'where only slots are kept until %d s after the span begins, its steps have %d s',
  async (after, step, raw_from) => {
    const kept = { ...store, rawFrom: async () => day.from + after };
    const history = await historySteps(
      kept,
      { ...day, to: day.from + 3600 },
      { step: 15 },
      THRESHOLDS,
      at('23:00:00'),
    );
    expect(history.ok && history.value.answer).toMatchObject({ step_seconds: step });
    expect(history.ok && history.value.answer.raw_from).toBe(raw_from);
  },
);

test('a span before the first reading, in the future or of an unknown sensor counts no time', async () => {
  const elapsed = await elapsedTime(store, '', at('22:36:11'));
  for (const [from, to] of [
    ['21:00:00', '22:00:00'],
    ['23:00:00', '23:10:00'],
  ] as const) {
    const part = elapsedPart({ sensor: '', from: at(from) / 1000, to: at(to) / 1000 }, elapsed);
    expect(part.from).toBe(part.to);
  }
  const unknown = elapsedPart(day, await elapsedTime(store, 'Nowhere', at('22:36:11')));
  expect(unknown.from).toBe(unknown.to);
});

test.each([
  ['Europe/Berlin', '2026-10-24T22:00:00.000Z', 25],
  ['Europe/Berlin', '2026-03-28T23:00:00.000Z', 23],
  ['Asia/Kathmandu', '2026-03-28T18:15:00.000Z', 24],
])(
  'steps of one day in %s start at midnight, and the step of %s has %d hours',
  async (zone, midnight, hours) => {
    const begin = Date.parse(midnight);
    const HOUR_MS = 3_600_000;
    // A reading every half hour, from a day before to a day after.
    const readings = Array.from(
      { length: 2 * (hours + 48) },
      (_, i): Reading => ({
        id: i + 1,
        co2: 400 + (i % 50),
        voc: 100,
        created_at: new Date(begin + (i - 48) * (HOUR_MS / 2)).toISOString(),
      }),
    );
    const [first, newest] = [readings[0] as Reading, readings.at(-1) as Reading];
    const store = {
      ...historyStore(readings),
      rawFrom: async () => null,
      lastHeard: async () => [
        { name: '', newest, first_heard: first.created_at, last_heard: newest.created_at },
      ],
    };
    const span = { sensor: '', from: begin / 1000 - 3600, to: begin / 1000 + hours * 3600 + 60 };
    const asked = { step: 86_400, zone };
    const history = await historySteps(store, span, asked, THRESHOLDS, begin + 30 * 24 * HOUR_MS);
    const pattern = await computePattern(store, span, { zone, by: 'day' }, THRESHOLDS);
    const steps = history.ok ? history.value.answer.steps : [];
    expect(steps.map(({ start, readings }) => [start, readings])).toEqual([
      [new Date(begin - 24 * HOUR_MS).toISOString(), 48],
      [midnight, 2 * hours],
      [new Date(begin + hours * HOUR_MS).toISOString(), 48],
    ]);
    // The calendar below the chart has the same days.
    const cells = pattern.ok ? pattern.value.answer.cells : [];
    expect(steps.map(({ start, co2, voc }) => ({ start, co2, voc }))).toEqual(cells);
  },
);
