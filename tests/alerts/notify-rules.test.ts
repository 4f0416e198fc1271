import { describe, expect, test } from 'vitest';
import { isQuiet, knownAtFirst, notableState, noticeOf, whyNotNotified } from '../../app/alerts/notify-rules';
import type { AirState, SensorAir } from '../../app/readings/air/air-state';
import { airAt } from '../../app/readings/air/judge-reading';
import type { Level } from '../../app/readings/level/level';
import { MINUTE, minute } from '../support/alerts/watching';
import { START } from '../support/readings/readings';

const RULES = { on: ['poor', 'silent'] as AirState[], silentAfterMs: 15 * MINUTE, againMs: null };
const NOW = START + 10 * MINUTE;

const air = (level: Level, values: Partial<SensorAir> = {}): SensorAir => ({
  ...airAt(minute(0)),
  level,
  newest: minute(10),
  ...values,
});
const silent = (level: Level = 'good') => air(level, { newest: minute(-20), silentSince: minute(-5) });

const watched = (known: SensorAir, notified: AirState = 'good', notifiedAt: string | null = minute(-60)) => ({
  sensor: 'Kitchen',
  air: known,
  notified,
  notifiedAt,
});

test.each<[AirState[], SensorAir, AirState]>([
  [['poor', 'silent'], air('good'), 'good'],
  [['poor', 'silent'], air('moderate'), 'good'],
  [['poor', 'silent'], air('poor'), 'poor'],
  [['poor', 'silent'], silent('poor'), 'silent'],
  [['moderate'], air('poor'), 'moderate'],
  [['moderate', 'poor'], air('poor'), 'poor'],
  [['poor'], silent('poor'), 'poor'],
  [['poor'], silent('good'), 'good'],
  [['silent'], air('poor'), 'good'],
  [[], air('poor'), 'good'],
])('NOTIFY_ON=%j with state %j is notable as %s', (on, known, expected) => {
  expect(notableState(known, on)).toBe(expected);
});

const entered = (notified: AirState) => ({ kind: 'entered', notified, notifiedAt: minute(10) });
const ended = { kind: 'ended', notified: 'good', notifiedAt: minute(10) };

test.each([
  ['nothing while the air is good', watched(air('good')), null],
  [
    'nothing for an unlisted level, but records it',
    watched(air('moderate')),
    { kind: null, notified: 'moderate', notifiedAt: null },
  ],
  ['poor air', watched(air('poor')), entered('poor')],
  ['poor air of a sensor without earlier notifications', watched(air('poor'), 'good', null), entered('poor')],
  ['poor air once', watched(air('poor'), 'poor'), null],
  [
    'the end of poor air, even at an unlisted level',
    watched(air('moderate'), 'poor'),
    { ...ended, notified: 'moderate' },
  ],
  ['a silence', watched(silent()), entered('silent')],
  ['a silence after poor air', watched(silent('poor'), 'poor'), entered('silent')],
  ['a silence once', watched(silent(), 'silent'), null],
  ['its end', watched(air('good'), 'silent'), ended],
  ['poor air after a silence', watched(air('poor'), 'silent'), entered('poor')],
  [
    'nothing after a silence while the level is the same as before',
    watched(air('poor', { pending: [null, minute(8)] }), 'silent'),
    null,
  ],
  [
    'no end while the air may get poor again',
    watched(air('good', { pending: [null, minute(9)] }), 'poor'),
    null,
  ],
  ['no poor air while it may be over', watched(air('poor', { pending: [minute(9), minute(9)] })), null],
  ['nothing for old readings, since more may follow', watched(air('poor', { newest: minute(-6) })), null],
  ['no end based on old readings', watched(air('good', { newest: minute(-6) }), 'poor'), null],
  [
    'no end for a state that was never notified',
    watched(air('good'), 'silent', null),
    { kind: null, notified: 'good', notifiedAt: null },
  ],
])('notifies of %s', (_, known, expected) => {
  expect(noticeOf(known, RULES, NOW)).toEqual(expected);
});

test('sends no end for a state that was removed from NOTIFY_ON', () => {
  const on: AirState[] = ['silent'];
  const known = { kind: null, notified: 'good', notifiedAt: null };
  expect(noticeOf(watched(air('poor'), 'poor'), { ...RULES, on }, NOW)).toBeNull();
  expect(noticeOf(watched(air('good'), 'poor'), { ...RULES, on }, NOW)).toEqual(known);
});

test.each<[AirState[], AirState[], SensorAir]>([
  [['moderate'], ['moderate', 'poor'], air('poor')],
  [['poor'], ['moderate'], air('poor')],
  [['poor'], ['moderate', 'poor'], air('poor')],
  [['silent'], ['poor', 'silent'], air('good')],
])('changing NOTIFY_ON from %j to %j repeats no state that already holds', (first, then, known) => {
  const before = noticeOf(watched(known), { ...RULES, on: first }, NOW);
  const now = watched(known, before?.notified ?? 'good', before?.notifiedAt ?? null);
  expect(noticeOf(now, { ...RULES, on: then }, NOW)).toBeNull();
});

test('adding moderate to NOTIFY_ON does not repeat moderate air after poor air', () => {
  const before = noticeOf(watched(air('moderate'), 'poor'), RULES, NOW);
  const now = watched(air('moderate'), before?.notified, before?.notifiedAt);
  expect(before?.kind).toBe('ended');
  expect(noticeOf(now, { ...RULES, on: ['moderate', 'poor'] }, NOW)).toBeNull();
});

test('a notified level ends with a message, even after a worse level outside NOTIFY_ON', () => {
  const rules = { ...RULES, on: ['moderate'] as AirState[] };
  const worse = noticeOf(watched(air('poor'), 'moderate'), rules, NOW);
  expect(worse).toEqual({ kind: null, notified: 'poor', notifiedAt: minute(-60) });
  expect(noticeOf(watched(air('good'), worse?.notified, worse?.notifiedAt), rules, NOW)?.kind).toBe('ended');
});

test('a silence outside NOTIFY_ON is no recovery', () => {
  const on: AirState[] = ['poor'];
  expect(noticeOf(watched(silent('good'), 'poor'), { ...RULES, on }, NOW)).toBeNull();
});

test('sends a reminder when the set time has passed since the last message', () => {
  const rules = { ...RULES, againMs: 60 * MINUTE };
  const reminder = { kind: 'reminder', notified: 'poor', notifiedAt: minute(10) };
  expect(noticeOf(watched(air('poor'), 'poor', minute(-49)), rules, NOW)).toBeNull();
  expect(noticeOf(watched(air('poor'), 'poor', minute(-50)), rules, NOW)).toEqual(reminder);
  // The clock was an hour ahead at that time.
  expect(noticeOf(watched(air('poor'), 'poor', minute(70)), rules, NOW)).toEqual(reminder);
  expect(noticeOf(watched(air('poor'), 'poor', minute(69)), rules, NOW)).toBeNull();
  expect(noticeOf(watched(air('good'), 'good', minute(-50)), rules, NOW)).toBeNull();
  expect(noticeOf(watched(silent(), 'silent', minute(-50)), rules, NOW)).toMatchObject({ kind: 'reminder' });
  expect(noticeOf(watched(silent(), 'silent', null), rules, NOW)).toBeNull();
});

test('with silent in NOTIFY_ON, an initially silent sensor counts as notified', () => {
  expect(knownAtFirst(air('good'), RULES, NOW)).toBe('good');
  const old = air('good', { newest: minute(-6) });
  expect(knownAtFirst(old, RULES, NOW)).toBe('silent');
  expect(knownAtFirst(old, { ...RULES, on: ['poor'] }, NOW)).toBe('good');
});

describe('quiet hours', () => {
  const NIGHT = { from: '22:00', to: '07:00' };
  const NOON = { from: '12:00', to: '13:30' };

  test.each([
    ['2026-01-02T21:59:59Z', NIGHT, 'UTC', false],
    ['2026-01-02T22:00:00Z', NIGHT, 'UTC', true],
    ['2026-01-03T00:00:00Z', NIGHT, 'UTC', true],
    ['2026-01-03T06:59:59Z', NIGHT, 'UTC', true],
    ['2026-01-03T07:00:00Z', NIGHT, 'UTC', false],
    ['2026-01-03T12:00:00Z', NOON, 'UTC', true],
    ['2026-01-03T13:30:00Z', NOON, 'UTC', false],
    ['2026-01-03T00:00:00Z', NOON, 'UTC', false],
    // UTC+1 in winter, UTC+2 in summer.
    ['2026-01-02T20:59:59Z', NIGHT, 'Europe/Berlin', false],
    ['2026-01-02T21:00:00Z', NIGHT, 'Europe/Berlin', true],
    ['2026-07-02T20:00:00Z', NIGHT, 'Europe/Berlin', true],
    ['2026-07-03T05:00:00Z', NIGHT, 'Europe/Berlin', false],
    ['2026-01-02T16:30:00Z', NIGHT, 'Asia/Kolkata', true],
    // The clocks go from 02:00 to 03:00, so quiet hours that end at 02:30 end at 03:00.
    ['2026-03-29T00:59:59Z', { from: '22:00', to: '02:30' }, 'Europe/Berlin', true],
    ['2026-03-29T01:00:00Z', { from: '22:00', to: '02:30' }, 'Europe/Berlin', false],
    // The clocks go back in this night, which is an hour longer.
    ['2026-10-25T05:59:59Z', NIGHT, 'Europe/Berlin', true],
    ['2026-10-25T06:00:00Z', NIGHT, 'Europe/Berlin', false],
  ])('at %s, the quiet hours %j in %s apply: %s', (time, hours, timeZone, expected) => {
    expect(isQuiet(hours, timeZone, Date.parse(time))).toBe(expected);
  });
});

describe('the reason for a transition without a message', () => {
  const RULES = { on: ['poor', 'silent'] as AirState[], quiet: null, timeZone: 'UTC' };
  /** `START` is at 10:00. */
  const QUIET = { ...RULES, quiet: { from: '09:00', to: '10:30' } };

  const change = (from: AirState, to: AirState) => ({ at: minute(0), from, to });
  const watched = (level: Level, notified: AirState) => ({
    sensor: '',
    air: { ...airAt(minute(0)), level },
    notified,
    notifiedAt: null,
  });
  const reason = (
    transition: ReturnType<typeof change>,
    known: ReturnType<typeof watched> | null,
    rules: Parameters<typeof whyNotNotified>[2] = RULES,
  ) => whyNotNotified(transition, known, rules, START);

  test('explains why nothing was sent', () => {
    expect(reason(change('good', 'moderate'), watched('moderate', 'moderate'))).toBe('not-chosen');
    expect(reason(change('poor', 'silent'), null, { ...RULES, on: ['poor'] })).toBe('not-chosen');
    expect(reason(change('good', 'poor'), null)).toBe('over');
    expect(reason(change('good', 'poor'), watched('good', 'good'))).toBe('over');
    expect(reason(change('good', 'poor'), null, QUIET)).toBe('over-in-quiet');
    expect(reason(change('good', 'poor'), watched('poor', 'good'), QUIET)).toBe('quiet');
    expect(reason(change('good', 'poor'), watched('poor', 'good'))).toBe('not-yet');
    expect(reason(change('good', 'poor'), watched('poor', 'poor'))).toBe('before');
  });
});
