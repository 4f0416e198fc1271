import { alertAddresses } from '../../../app/alerts/addresses.server';
import { type AirState, type SensorAir, stateOf, type Transition } from '../../../app/readings/air/air-state';
import type { Level } from '../../../app/readings/level/level';
import type { Attempt, OutboxMessage, WatchedSensor } from '../../../app/store/alert-store';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';

/** The notified addresses. Some deliveries to the last one got a 410. */
export const NOTIFY_URLS = [
  'ntfy://127.0.0.1:9/air-4711',
  'slack+http://127.0.0.1:9/services/T0/B0/secret-token',
  'http://127.0.0.1:9/hook?key=secret-key',
].join(' ');

const VALUES: Record<Level, number> = { good: 640, moderate: 1450, poor: 2350 };
const LEVELS = ['good', 'moderate', 'good', 'poor'] as const;
const NAMES = [
  'Kitchen',
  'Bedroom',
  'Lab',
  'Class 4b',
  'Office of a rather long name at the end of the corridor',
];

/**
 * Stores the states of sensors, 60 transitions with deliveries (delivered, repeated, given up), and a reminder.
 *
 * @param count number of sensors, one of them unnamed
 */
export async function storeNotifiedSensors(path: string, count: number): Promise<void> {
  const now = Date.now();
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const keys = alertAddresses({ urls: NOTIFY_URLS.split(' '), secret: null, smtpUrl: null }).map(
    ({ key }) => key,
  );
  const nameOf = (i: number) => (count === 1 ? '' : (NAMES[i] ?? `Room ${i + 1}`));

  const airOf = (i: number): SensorAir => {
    const level = LEVELS[i % LEVELS.length] as Level;
    const isSilent = i % 7 === 5;
    const newest = ago(isSilent ? 40 : 0.1);
    const run = ago(2);
    return {
      level,
      silentSince: isSilent ? ago(25) : null,
      levelSince: ago(25 + 40 * i),
      pending: i % 4 === 2 ? [run, null] : i % 4 === 1 ? [null, run] : [null, null],
      oldest: ago(10_000),
      newest,
      newestId: i + 1,
      co2: VALUES[level] + i,
      voc: i % 3 === 2 ? null : 120 + i,
      measuredAt: { co2: newest, voc: newest },
    };
  };
  const sensors: WatchedSensor[] = Array.from({ length: count }, (_, i) => ({
    sensor: nameOf(i),
    air: airOf(i),
    notified: stateOf(airOf(i)) === 'moderate' ? 'good' : stateOf(airOf(i)),
    notifiedAt: ago(20),
  }));

  const transitions: Transition[] = Array.from({ length: 60 }, (_, i) => {
    const states: AirState[] = ['good', 'moderate', 'poor', 'silent', 'good'];
    const air = airOf(i % count);
    const [from, to] = [states[i % 4] as AirState, states[(i % 4) + 1] as AirState];
    const at = ago(5 + (59 - i) * 50);
    return { sensor: nameOf(i % count), at, from, to, since: at, co2: air.co2, voc: air.voc };
  });
  const notified = transitions.filter(({ to }) => to !== 'moderate');
  const messages: OutboxMessage[] = notified.map(({ sensor, at, to }, i) => ({
    id: `event-${i}`,
    createdAt: at,
    transition: { sensor, at, to },
    event: '{}',
    addresses: keys,
  }));
  const attempts = messages.flatMap(({ id, createdAt }, i): Attempt[] => {
    const at = (seconds: number) => new Date(Date.parse(createdAt) + seconds * 1000).toISOString();
    const [ntfy = '', slack = '', hook = ''] = keys;
    const isLast = i === messages.length - 1;
    const own = (address: string, seconds: number, outcome: Attempt['outcome'], answer: string): Attempt => {
      const retryAt = outcome === 'retry' ? new Date(now + 3_600_000).toISOString() : null;
      return { messageId: id, address, at: at(seconds), outcome, answer, retryAt };
    };
    return [
      own(ntfy, 1, 'delivered', '200: {"id":"x7Hq"}'),
      own(slack, 1, 'retry', '503: upstream connect error'),
      own(slack, 5, 'retry', 'no answer within 10 s'),
      ...(isLast ? [] : [own(slack, 12, 'delivered', '200: ok')]),
      i % 9 === 4 ? own(hook, 1, 'failed', '410: gone') : own(hook, 1, 'delivered', '204'),
    ];
  });

  const reminder = { kind: 'reminder', sensor: nameOf(0), state: 'poor', co2: 2350, voc: null };
  messages.push({
    id: 'reminder',
    createdAt: ago(1),
    transition: null,
    event: JSON.stringify(reminder),
    addresses: keys,
  });

  const store = openSqliteStore(path);
  const alerts = store.alerts;
  if (!alerts) throw new Error('the embedded store keeps no alerts');
  const nothing = { cursor: 0, sensors: [], transitions: [], messages: [] };
  await alerts.hold();
  await alerts.commit({ ...nothing, sensors, transitions, messages });
  for (const attempt of attempts) await alerts.record(attempt);
  await store.close();
}
