import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeSilence } from '../../app/readings/air/judge-reading';
import { timelyReadings } from '../../app/readings/air/late-readings';
import type { Reading } from '../../app/readings/reading';
import { AIR_RULES, airReadings, judgeAll, MINUTE, minute, startWatching } from '../support/alerts/watching';
import { START } from '../support/readings/readings';
import { SEED, size } from '../support/size';

/** Readings with the same values, and the action after each. */
interface Step {
  count: number;
  /** Seconds after the previous reading. */
  after: number;
  co2: number | null;
  voc: number | null;
  sensor: string;
  /** The number of later readings that arrive first. */
  late: number;
  next: 'nothing' | 'round' | 'crash' | 'reopen' | 'wait';
}

const DAY_SECONDS = 86_400;

const seconds = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 240 }) },
  { weight: 2, arbitrary: fc.constantFrom(899, 900, 901, 1200) },
  { weight: 1, arbitrary: fc.constantFrom(3600, DAY_SECONDS / 2, DAY_SECONDS - 60) },
);

const step: fc.Arbitrary<Step> = fc.record({
  count: fc.integer({ min: 1, max: 12 }),
  after: seconds,
  co2: fc.constantFrom(500, 500, 940, 960, 1200, 1900, 2100, 2100, null),
  voc: fc.constantFrom(null, null, null, 100, 900),
  sensor: fc.constantFrom('', '', 'Kitchen'),
  late: fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }) },
  ),
  next: fc.constantFrom(
    'nothing',
    'nothing',
    'nothing',
    'nothing',
    'round',
    'round',
    'crash',
    'reopen',
    'wait',
  ),
});

/** Returns readings in the order of their arrival. */
function readingsOf(steps: readonly Step[]) {
  let time = START;
  return steps
    .flatMap((step) => Array<Step>(step.count).fill(step))
    .map(({ after, co2, voc, sensor, late, next }, i) => {
      time += after * 1000;
      const values = co2 === null && voc === null ? { co2: 500, voc } : { co2, voc };
      return {
        order: i + late,
        next,
        input: { ...values, sensor, created_at: new Date(time).toISOString() },
      };
    })
    .sort((a, b) => a.order - b.order);
}

/** Returns the transitions of readings that all arrive on time. */
function transitionsOf(readings: readonly Reading[]) {
  return ['', 'Kitchen'].flatMap((sensor) => {
    const own = timelyReadings(
      null,
      readings.filter((reading) => reading.sensor === sensor),
    );
    const { air, transitions } = judgeAll(own);
    return air ? [...transitions, ...judgeSilence(sensor, air, AIR_RULES).transitions] : [];
  });
}

/** Leaves out the newest id, which depends on late readings, and spans, which only some transitions keep for texts. */
const comparable = (transitions: ReturnType<typeof transitionsOf>) =>
  transitions
    .map((transition) => ({ ...transition, air: { ...transition.air, newestId: 0, spans: undefined } }))
    .sort((a, b) => (a.sensor + a.at < b.sensor + b.at ? -1 : 1));

test(`any order of readings, batches and restarts gives the same transitions (seed ${SEED})`, async () => {
  const counts = { runs: 0, transitions: 0, late: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 40 }),
      async (steps, pageRows) => {
        const watching = await startWatching({}, { pageRows });
        const stored: Reading[] = [];
        let newest = START;
        for (const { input, next } of readingsOf(steps)) {
          stored.push(...watching.store([input]));
          newest = Math.max(newest, Date.parse(input.created_at), watching.now());
          watching.at((newest - START) / MINUTE);
          if (next === 'crash') await watching.restart();
          if (next === 'reopen') await watching.reopen();
          if (next === 'wait') await watching.runTo((newest - START) / MINUTE + 17);
          if (next !== 'nothing') await watching.round();
        }
        await watching.round();
        await watching.runTo((watching.now() - START) / MINUTE + 40);
        const expected = comparable(transitionsOf(stored));
        expect(comparable(watching.transitions())).toEqual(expected);
        counts.runs += 1;
        counts.transitions += expected.length;
        counts.late += steps.filter(({ late }) => late > 0).length;
      },
    ),
    { numRuns: size(3000, 200), seed: SEED },
  );
  // The sequences are not trivial.
  expect(counts.transitions).toBeGreaterThan(4 * counts.runs);
  expect(counts.late).toBeGreaterThan(counts.runs);
});

test('excludes readings that are more than a day late, in any batches', async () => {
  const poor = airReadings(Array.from({ length: 6 }, (_, i) => [i, 2100]));
  const [young] = airReadings([[24 * 60 + 3, 500]]);
  for (const batches of [
    [[young, ...poor]],
    [[young], poor],
    [[young], ...poor.map((reading) => [reading])],
  ]) {
    const watching = await startWatching();
    watching.at(24 * 60 + 3);
    for (const batch of batches) await watching.insert(batch as typeof poor);
    // The readings of minutes 3, 4 and 5 arrive within a day.
    expect(watching.alerts.sensors.get('')?.air.oldest).toBe(minute(3));
    expect(watching.transitions().map(({ to }) => to)).toEqual(['silent', 'good']);
  }
});
