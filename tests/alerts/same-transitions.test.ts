import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeSilence } from '../../app/readings/air/judge-reading';
import type { Reading } from '../../app/readings/reading';
import { AIR_RULES, judgeAll, MINUTE, startWatching } from '../support/alerts/watching';
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

/** After readings with `wait`, their sensor sends nothing for this long. */
const WAIT_MS = 17 * MINUTE;

/** Returns readings in the order of their arrival, which is that of their times. */
function readingsOf(steps: readonly Step[]) {
  let time = START;
  return steps
    .flatMap((step) => Array<Step>(step.count).fill(step))
    .map(({ after, co2, voc, sensor, next }) => {
      time += after * 1000;
      const values = co2 === null && voc === null ? { co2: 500, voc } : { co2, voc };
      const input = { ...values, sensor, created_at: new Date(time).toISOString() };
      if (next === 'wait') time += WAIT_MS;
      return { next, input };
    });
}

/** Returns the transitions of readings that are judged at once. */
function transitionsOf(readings: readonly Reading[]) {
  return ['', 'Kitchen'].flatMap((sensor) => {
    const { air, transitions } = judgeAll(readings.filter((reading) => reading.sensor === sensor));
    return air ? [...transitions, ...judgeSilence(sensor, air, AIR_RULES).transitions] : [];
  });
}

const inOrder = (transitions: ReturnType<typeof transitionsOf>) =>
  transitions.sort((a, b) => (a.sensor + a.at < b.sensor + b.at ? -1 : 1));

test(`any batches and restarts give the same transitions (seed ${SEED})`, async () => {
  const counts = { runs: 0, transitions: 0 };
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
          if (next === 'wait') await watching.runTo((newest + WAIT_MS) / MINUTE - START / MINUTE);
          if (next !== 'nothing') await watching.round();
        }
        await watching.round();
        await watching.runTo((watching.now() - START) / MINUTE + 40);
        const expected = inOrder(transitionsOf(stored));
        expect(inOrder(watching.transitions())).toEqual(expected);
        counts.runs += 1;
        counts.transitions += expected.length;
      },
    ),
    { numRuns: size(3000, 200), seed: SEED },
  );
  // The sequences are not trivial.
  expect(counts.transitions).toBeGreaterThan(4 * counts.runs);
});
