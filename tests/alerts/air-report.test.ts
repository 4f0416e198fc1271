import { expect, test } from 'vitest';
import { airReport, pendingStates } from '../../app/alerts/air-report.server';
import type { SensorAir } from '../../app/readings/air/air-state';
import { airAt } from '../../app/readings/air/judge-reading';
import type { RecordedDelivery, WatchedSensor } from '../../app/store/alert-store';
import { RULES } from '../support/readings/readings';

const SETTINGS = {
  urls: [],
  secret: null,
  smtpUrl: null,
  publicUrl: null,
  afterMs: 300_000,
  silentAfterMs: 900_000,
  on: [],
  aboutRooms: [],
  quiet: null,
  timeZone: 'UTC',
  againMs: null,
};

const watched = (sensor: string, air: Partial<WatchedSensor['air']>): WatchedSensor => ({
  sensor,
  air: { ...airAt('2026-01-02T10:00:00.000Z'), ...air },
  notified: 'good',
  notifiedAt: null,
});

test('lists all sensors, worst air first, or a page of them by name', async () => {
  const good = Array.from({ length: 250 }, (_, i) => watched(`Room ${i}`, {}));
  const sensors = [...good, watched('Lab', { level: 'moderate' }), watched('Attic', { level: 'poor' })];
  const store = {
    load: async () => ({ cursor: 0, sensors }),
    recent: async () => [],
    recentMessages: async () => [],
  };
  const report = await airReport(store, [], SETTINGS);
  expect(report.sensorCount).toBe(252);
  expect(report.sensors).toHaveLength(252);
  expect(report.sensors.slice(0, 3).map(({ state }) => state)).toEqual(['poor', 'moderate', 'good']);
  const page = await airReport(store, [], SETTINGS, { limit: 2, after: 'Attic' });
  expect(page.sensorCount).toBe(252);
  expect(page.sensors.map(({ sensor }) => sensor)).toEqual(['Lab', 'Room 0']);
});

test('a silence starts at the last reading', async () => {
  const silent = watched('Attic', {
    newest: '2026-01-02T11:00:00.000Z',
    silentSince: '2026-01-02T11:15:00.000Z',
  });
  const store = {
    load: async () => ({ cursor: 0, sensors: [silent] }),
    recent: async () => [],
    recentMessages: async () => [],
  };
  const [sensor] = (await airReport(store, [], SETTINGS)).sensors;
  expect(sensor).toMatchObject({ state: 'silent', since: '2026-01-02T11:00:00.000Z' });
});

test('reports the deliveries of each address, in the order of the setting', async () => {
  const address = (key: string) => ({ key, label: `to ${key}`, send: () => Promise.reject() });
  const at = (minute: number) => `2026-01-02T10:0${minute}:00.000Z`;
  const attempt = (minute: number, outcome: 'retry' | 'delivered') => ({
    at: at(minute),
    outcome,
    answer: 'HTTP',
  });
  const deliveries = [
    { messageId: 'm', address: 'a', state: 'pending', attempts: [attempt(2, 'retry'), attempt(3, 'retry')] },
    { messageId: 'm', address: 'gone', state: 'pending', attempts: [] },
    { messageId: 'm', address: 'z', state: 'delivered', attempts: [attempt(2, 'delivered')] },
  ] satisfies RecordedDelivery[];
  const before = {
    messageId: 'l',
    address: 'a',
    state: 'delivered',
    attempts: [attempt(1, 'delivered')],
  } as const;
  const message = { id: 'm', createdAt: at(0), event: JSON.stringify({ title: 'Still poor air' }) };
  const store = {
    load: async () => ({ cursor: 0, sensors: [] }),
    recent: async () => [],
    recentMessages: async () => [
      { ...message, deliveries },
      { ...message, deliveries: [{ ...before, attempts: [...before.attempts] }] },
    ],
  };
  const report = await airReport(store, [address('z'), address('a'), address('new')], SETTINGS);
  expect(report.addresses).toEqual([
    { address: 'to z', last: attempt(2, 'delivered'), failingSince: null, nextAttempt: null },
    { address: 'to a', last: attempt(3, 'retry'), failingSince: at(2), nextAttempt: null },
    { address: 'to new', last: null, failingSince: null, nextAttempt: null },
  ]);
  expect(report.messages[0]).toMatchObject({ id: 'm', title: 'Still poor air' });
  expect(report.messages[0]?.deliveries.map(({ id, address }) => [id, address])).toEqual([
    ['m', 'to z'],
    ['m', 'to a'],
    ['m', null],
  ]);
});

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

/** Returns the pending state as `to since → at`, in minutes. */
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
    'both thresholds, one after the other',
    { pending: [time(17), time(19)] },
    ['moderate 17 → 22', 'poor 19 → 24'],
  ],
  ['both thresholds at once', { pending: [time(18), time(18)] }, ['poor 18 → 23']],
  ['a better level', { level: 'moderate', pending: [time(18), null] }, ['good 18 → 23']],
  ['a level worse than moderate', { level: 'moderate', pending: [null, time(18)] }, ['poor 18 → 23']],
  ['one level better', { level: 'poor', pending: [null, time(18)] }, ['moderate 18 → 23']],
  ['two levels better at once', { level: 'poor', pending: [time(18), time(18)] }, ['good 18 → 23']],
  ['none for a silent sensor', { silentSince: time(10), pending: [time(18), null] }, []],
])('a pending change: %s', (_, changed, expected) => {
  expect(pending(changed)).toEqual(expected);
});

test('a silence is pending after a third of SILENT_AFTER', () => {
  expect(pending({}, 25)).toEqual([]);
  expect(pending({ pending: [time(19), null] }, 26)).toEqual(['moderate 19 → 24', 'silent 20 → 35']);
});

test('a pending silence is due when the server allows silences, if that is later', () => {
  const now = Date.parse(time(36));
  const [silence] = pendingStates(AIR, RULES, now, Date.parse(time(45)));
  expect(silence).toEqual({ to: 'silent', since: time(20), at: time(45) });
});
