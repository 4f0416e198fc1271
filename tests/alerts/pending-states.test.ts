import { expect, test } from 'vitest';
import { pendingStates } from '../../app/alerts/air-report.server';
import type { SensorAir } from '../../app/readings/air/air-state';
import { RULES } from '../support/readings/thresholds';

const time = (minute: number) => new Date(Date.UTC(2026, 0, 2, 10, minute)).toISOString();

const AIR: SensorAir = {
  level: 'good',
  silentSince: null,
  levelSince: time(0),
  pending: [null, null],
  oldest: time(0),
  newest: time(20),
  newestId: 9,
  co2: 600,
  voc: null,
  measuredAt: { co2: time(20), voc: null },
};

/** Returns what is pending as `to since → at`, in minutes. */
function pending(changed: Partial<SensorAir>, minute = 20): string[] {
  const minuteOf = (text: string) => new Date(text).getUTCMinutes();
  return pendingStates({ ...AIR, ...changed }, RULES, Date.parse(time(minute))).map(
    ({ to, since, at }) => `${to} ${minuteOf(since)} → ${minuteOf(at)}`,
  );
}

test.each<[string, Partial<SensorAir>, string[]]>([
  ['nothing', {}, []],
  ['a worse level', { pending: [time(18), null] }, ['moderate 18 → 23']],
  [
    'both limits, one after the other',
    { pending: [time(17), time(19)] },
    ['moderate 17 → 22', 'poor 19 → 24'],
  ],
  ['both limits at once', { pending: [time(18), time(18)] }, ['poor 18 → 23']],
  ['a better level', { level: 'moderate', pending: [time(18), null] }, ['good 18 → 23']],
  ['a worse one than moderate', { level: 'moderate', pending: [null, time(18)] }, ['poor 18 → 23']],
  ['one level less', { level: 'poor', pending: [null, time(18)] }, ['moderate 18 → 23']],
  ['both levels less at once', { level: 'poor', pending: [time(18), time(18)] }, ['good 18 → 23']],
  ['nothing of a silent sensor', { silentSince: time(10), pending: [time(18), null] }, []],
])('%s', (_, changed, expected) => {
  expect(pending(changed)).toEqual(expected);
});

test('a silence is pending after a third of the time', () => {
  expect(pending({}, 25)).toEqual([]);
  expect(pending({ pending: [time(19), null] }, 26)).toEqual(['moderate 19 → 24', 'silent 20 → 35']);
});

test('a silence by a server that began to listen later', () => {
  const now = Date.parse(time(36));
  const [silence] = pendingStates(AIR, RULES, now, Date.parse(time(45)));
  expect(silence).toEqual({ to: 'silent', since: time(20), at: time(45) });
});
