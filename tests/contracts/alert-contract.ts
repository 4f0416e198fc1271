import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../app/readings/at';
import { byMetric } from '../../app/readings/metric';
import { type AlertStore, type OutboxMessage, RECORDED_ATTEMPTS } from '../../app/store/alert-store';
import {
  attemptAt,
  changeOf,
  messageOf,
  nextDelivery,
  poorAt,
  timeAt,
  watched,
} from '../support/alerts/alert-changes';
import { alertPruningContract } from './alert-pruning-contract';

/** An empty store. */
export interface TestedAlerts {
  store: AlertStore;
  /** Stores a reading of a sensor, if the store derives the age of a sensor from its readings. */
  insert?(sensor: string): Promise<unknown>;
  close(): Promise<void>;
}

const NAMES = ['', "Zoë's; drop table alert_sensors; --", '"%_\\ {}[],()', '日本 🌬 \u202e', 'x'.repeat(64)];

/** Declares the tests of an alert store. Each uses its own sensors and addresses. */
export function alertContract(open: () => Promise<TestedAlerts>): void {
  let tested: TestedAlerts;
  let store: AlertStore;
  let sensor: string;
  let address: string;
  let tests = 0;
  const id = (name: string) => `${sensor} ${name}`;

  beforeAll(async () => {
    tested = await open();
    store = tested.store;
  });

  beforeEach(async () => {
    sensor = `sensor ${++tests}`;
    address = `address ${tests}`;
    expect(await store.hold()).toBe(true);
  });

  afterAll(() => tested?.close());

  const known = async (name: string) => tested.insert?.(name);
  const sent = ({ id, createdAt, event }: OutboxMessage) => ({ id, createdAt, event });
  const recorded = async () => (await store.recent(5000)).filter((known) => known.sensor === sensor);
  const loaded = async () => (await store.load()).sensors.filter((known) => known.sensor === sensor);
  /** Returns the stored transitions of a sensor, oldest first. */
  const all = async (name = sensor) =>
    (await store.recent(5000))
      .filter((known) => known.sensor === name)
      .map(({ deliveries: _, ...transition }) => transition)
      .reverse();

  test('has no cursor and no sensors before the first commit', async () => {
    expect(await store.load()).toEqual({ cursor: null, sensors: [] });
    expect(await store.recent(10)).toEqual([]);
    expect(await store.recentMessages(10)).toEqual([]);
    expect(await store.watch({ until: timeAt(0), patienceMs: 0 })).toBeNull();
    expect(await nextDelivery(store, address)).toBeNull();
  });

  test('returns the cursor and every sensor as last committed', async () => {
    const other = watched(`${sensor} other`, { notified: 'silent', notifiedAt: timeAt(7) });
    await store.commit(changeOf({ cursor: 5, sensors: [watched(sensor), other] }));
    const changed = watched(sensor, { notified: 'poor', notifiedAt: timeAt(9) });
    changed.air = { ...changed.air, level: 'poor', silentSince: timeAt(8), co2: null, voc: -3 };
    await store.commit(changeOf({ cursor: 9_007_199_254_740_991, sensors: [changed] }));
    const { cursor, sensors } = await store.load();
    expect(cursor).toBe(9_007_199_254_740_991);
    expect(sensors).toEqual(expect.arrayContaining([changed, other]));
    expect(await loaded()).toEqual([changed]);
  });

  test.each(NAMES)('keeps the state of a sensor and an address called %j', async (name) => {
    const transition = poorAt(name, timeAt(0));
    const message = messageOf(id('message'), transition, `${address} ${name}`);
    await store.commit(
      changeOf({ sensors: [watched(name)], transitions: [transition], messages: [message] }),
    );
    expect((await store.load()).sensors).toContainEqual(watched(name));
    expect(await store.lastTransition(name)).toEqual(transition);
    expect(await all(name)).toEqual([transition]);
    const delivery = { message: sent(message), address: `${address} ${name}`, attempts: 0, retryAt: null };
    expect(await nextDelivery(store, `${address} ${name}`)).toMatchObject(delivery);
    const answer = `200 ${name} \u0000 \ud800`;
    await store.record({ ...attemptAt(1, [message.id, delivery.address], 'delivered'), answer });
    const [known] = (await store.recent(100)).filter((known) => known.sensor === name);
    expect(known?.deliveries[0]?.attempts[0]?.answer).toBe(`200 ${name} \ufffd \ufffd`);
  });

  test('keeps every number of a transition', async () => {
    const numbers = [0.1, 1.7976931348623157e308, 5e-324, -1234.567891234567, 2.2250738585072014e-308];
    const transitions = numbers.map((value, i) =>
      poorAt(
        sensor,
        timeAt(i),
        byMetric(({ field }) => (field === 'voc' ? -value : value)),
      ),
    );
    await store.commit(changeOf({ transitions }));
    expect(await all()).toEqual(transitions);
    expect(await store.lastTransition(sensor)).toEqual(transitions.at(-1));
  });

  test('orders transitions by microseconds, and returns the last one of a sensor', async () => {
    const times = ['10:00:00.000Z', '10:00:00.000001Z', '10:00:00.001Z', '10:00:00.999999Z', '10:00:01.000Z'];
    const transitions = times.map((time) => poorAt(sensor, `2026-01-02T${time}`));
    await store.commit(changeOf({ transitions: transitions.toReversed() }));
    expect(await all()).toEqual(transitions);
    expect(await store.lastTransition(sensor)).toEqual(transitions.at(-1));
    expect(await store.lastTransition(`${sensor} unknown`)).toBeNull();
  });

  test('keeps one transition for each sensor, time and state, as last committed', async () => {
    const first = poorAt(sensor, timeAt(0));
    const back = poorAt(sensor, timeAt(0), { from: 'poor', to: 'good' });
    await store.commit(changeOf({ transitions: [first, back] }));
    const again = { ...first, since: timeAt(-400), co2: 2200 };
    await store.commit(changeOf({ transitions: [again] }));
    expect(await all()).toEqual([again, back]);
  });

  test('delivers messages to each address in order, each until it is delivered or has failed', async () => {
    const other = `${address} other`;
    const messages = ['z', 'a', 'm'].map((name) => messageOf(id(name), null, address, other));
    await store.commit(changeOf({ messages: messages.slice(0, 2) }));
    await store.commit(changeOf({ messages: messages.slice(2) }));
    const next = async (of: string) => (await nextDelivery(store, of))?.message.id;
    expect(await nextDelivery(store, address)).toEqual({
      message: sent(at(messages, 0)),
      address,
      attempts: 0,
      retryAt: null,
      firstSeen: expect.any(Number),
      isSummary: false,
    });
    await store.record(attemptAt(1, [id('z'), address]));
    await store.record(attemptAt(2, [id('z'), address]));
    expect(await nextDelivery(store, address)).toMatchObject({ attempts: 2, retryAt: timeAt(62) });
    await store.record(attemptAt(70, [id('z'), address], 'delivered'));
    expect(await next(address)).toBe(id('a'));
    await store.record(attemptAt(71, [id('a'), address], 'failed'));
    expect(await next(address)).toBe(id('m'));
    await store.record(attemptAt(72, [id('m'), address], 'delivered'));
    expect(await nextDelivery(store, address)).toBeNull();
    expect(await next(other)).toBe(id('z'));
    expect(await nextDelivery(store, `${address} unknown`)).toBeNull();
  });

  test('keeps only the newest of several messages of a sensor for an address', async () => {
    const transitions = [poorAt(sensor, timeAt(0)), poorAt(sensor, timeAt(10), { from: 'poor', to: 'good' })];
    const messages = transitions.map((transition, i) => messageOf(id(`${i}`), transition, address));
    const reminder = {
      ...messageOf(id('reminder'), null, address),
      event: JSON.stringify({ kind: 'reminder', sensor }),
    };
    await store.commit(changeOf({ transitions, messages: messages.slice(0, 1) }));
    expect((await nextDelivery(store, address))?.message.id).toBe(id('0'));
    await store.commit(changeOf({ messages: messages.slice(1) }));
    expect(await store.waiting(address)).toMatchObject({
      deliveries: [{ message: { id: id('1') } }],
      sensors: 1,
    });
    await store.commit(changeOf({ messages: [reminder] }));
    expect(await store.waiting(address)).toMatchObject({
      deliveries: [{ message: { id: id('reminder') } }],
      sensors: 1,
    });
    const states = (await recorded()).flatMap(({ deliveries }) => deliveries.map(({ state }) => state));
    expect(states).toEqual(['replaced', 'replaced']);
  });

  test('sends a message that was tried first, then those of the longest-known sensors', async () => {
    const names = ['z', 'a', 'm'].map((name) => `${sensor} ${name}`);
    for (const name of names) {
      await known(name);
      await store.commit(changeOf({ sensors: [watched(name)] }));
    }
    const messageTo = (name: string) => messageOf(`${name} message`, poorAt(name, timeAt(0)), address);
    await store.commit(changeOf({ messages: names.toReversed().map(messageTo) }));
    const waiting = async () => (await store.waiting(address)).deliveries.map(({ message }) => message.id);
    expect(await waiting()).toEqual(names.map((name) => `${name} message`));
    await store.record(attemptAt(1, [`${names[2]} message`, address]));
    expect((await waiting())[0]).toBe(`${names[2]} message`);
  });

  test('a summary replaces many messages for one address', async () => {
    const [b, names] = [
      `${address} b`,
      Array.from({ length: 20 }, (_, i) => `${sensor} ${String(i).padStart(2, '0')}`),
    ];
    const messageTo = (name: string) => messageOf(name, poorAt(name, timeAt(0)), address, b);
    await store.commit(changeOf({ messages: names.map(messageTo) }));
    const { newest, sensors, states, deliveries } = await store.waiting(address);
    expect({ sensors, states }).toEqual({ sensors: 20, states: ['poor'] });
    expect(deliveries).toHaveLength(8);
    // A message that arrived in between isn't counted, so it stays.
    await store.commit(changeOf({ messages: [messageTo(`${sensor} later`)] }));
    const summary = {
      id: id('summary'),
      createdAt: timeAt(3),
      event: JSON.stringify({ kind: 'summary', sensor: '' }),
    };
    const kept = names.slice(0, 2);
    for (let i = 0; i < 2; i++) await store.summarize(address, { kept, newest }, summary);
    const left = await store.waiting(address);
    expect(left.sensors).toBe(3);
    expect(left.deliveries.map(({ message, isSummary }) => [message.id, isSummary])).toEqual([
      [summary.id, true],
      ...[...kept, `${sensor} later`].map((name) => [name, false]),
    ]);
    expect((await store.waiting(b)).sensors).toBe(21);
    const [message] = await store.recentMessages(1);
    expect(message).toMatchObject({ id: summary.id, deliveries: [{ address, state: 'pending' }] });
    // Later summaries leave it.
    await store.summarize(address, { kept: [], newest: left.newest }, { ...summary, id: id('second') });
    expect((await store.waiting(address)).deliveries.map(({ message }) => message.id)).toEqual([
      summary.id,
      id('second'),
    ]);
  });

  test('stores a message once by its id, even with other addresses', async () => {
    const message = messageOf(id('once'), null, address);
    await store.commit(changeOf({ messages: [message, message] }));
    await store.record(attemptAt(1, [message.id, address], 'delivered'));
    await store.commit(changeOf({ messages: [{ ...message, event: '{}', addresses: [address, 'new'] }] }));
    expect(await nextDelivery(store, address)).toBeNull();
    expect(await nextDelivery(store, 'new')).toBeNull();
  });

  test('records an attempt once, and none for an unknown message', async () => {
    const transition = poorAt(sensor, timeAt(0));
    const message = messageOf(id('attempted'), transition, address);
    await store.commit(changeOf({ transitions: [transition], messages: [message] }));
    for (let i = 0; i < 2; i++) await store.record(attemptAt(1, [message.id, address]));
    await store.record(attemptAt(2, [message.id, `${address} unknown`]));
    await store.record(attemptAt(2, ['unknown', address], 'delivered'));
    expect(await nextDelivery(store, address)).toMatchObject({ attempts: 1, retryAt: timeAt(61) });
    await store.record(attemptAt(3, [message.id, address], 'delivered'));
    await store.record(attemptAt(4, [message.id, address]));
    expect(await nextDelivery(store, address)).toBeNull();
  });

  test('returns the newest transitions, with their deliveries and newest attempts', async () => {
    const newest = poorAt(sensor, '2026-01-03T00:00:00.000Z');
    const before = poorAt(sensor, '2026-01-02T23:59:59.999999Z', { from: 'poor', to: 'good' });
    const messages = ['first', 'reminder'].map((name) =>
      messageOf(id(name), newest, address, `${address} b`),
    );
    await store.commit(changeOf({ transitions: [newest, before], messages }));
    const attempts = Array.from({ length: RECORDED_ATTEMPTS + 5 }, (_, i) =>
      attemptAt(i, [id('first'), address]),
    );
    for (const attempt of attempts) await store.record(attempt);
    await store.record(attemptAt(100, [id('first'), address], 'delivered'));
    const shown = [...attempts, attemptAt(100, [id('first'), address], 'delivered')]
      .slice(-RECORDED_ATTEMPTS)
      .map(({ at, outcome, answer }) => ({ at, outcome, answer }));
    const pending = { state: 'pending', attempts: [] };
    expect(await store.recent(2)).toEqual([
      {
        ...newest,
        deliveries: [
          { messageId: id('first'), address, state: 'delivered', attempts: shown },
          { messageId: id('first'), address: `${address} b`, ...pending },
          { messageId: id('reminder'), address, ...pending },
          { messageId: id('reminder'), address: `${address} b`, ...pending },
        ],
      },
      { ...before, deliveries: [] },
    ]);
    expect(await store.recent(1)).toHaveLength(1);
  });

  test('returns the newest messages without a transition, with their deliveries', async () => {
    const transition = poorAt(sensor, timeAt(0));
    const [notified, ...alone] = ['notified', 'first', 'second', 'third'].map((name, i) =>
      messageOf(id(name), i === 0 ? transition : null, address, `${address} b`),
    ) as [OutboxMessage, ...OutboxMessage[]];
    await store.commit(changeOf({ transitions: [transition], messages: [...alone, notified] }));
    await store.record(attemptAt(1, [id('third'), address], 'retry'));
    await store.record(attemptAt(2, [id('third'), address], 'delivered'));
    const [third, second, ...others] = await store.recentMessages(2);
    const { createdAt, event } = alone[2] as OutboxMessage;
    const attempts = [attemptAt(1, ['', ''], 'retry'), attemptAt(2, ['', ''], 'delivered')].map(
      ({ at, outcome, answer }) => ({ at, outcome, answer }),
    );
    expect(third).toEqual({
      id: id('third'),
      createdAt,
      event,
      deliveries: [
        { messageId: id('third'), address, state: 'delivered', attempts },
        { messageId: id('third'), address: `${address} b`, state: 'pending', attempts: [] },
      ],
    });
    expect(second?.id).toBe(id('second'));
    expect(others).toEqual([]);
  });

  test('returns the time up to which readings were last watched', async () => {
    const first = { until: '2026-01-02T00:00:09.123Z', patienceMs: 7 * 86_400_000 };
    const second = { until: timeAt(3), patienceMs: 0 };
    await store.watch(first);
    expect(await store.watch(second)).toEqual(first);
    expect(await store.watch(first)).toEqual(second);
  });

  test('a failed commit stores nothing', async () => {
    await store.commit(changeOf({ cursor: 77, sensors: [watched(sensor)] }));
    const transition = poorAt(sensor, timeAt(0));
    const messages = [messageOf(id('fine'), transition, address), messageOf(id('not'), transition, address)];
    const failing = changeOf({
      cursor: 78,
      sensors: [watched(sensor, { notified: 'poor' })],
      transitions: [transition],
      // The last statement of the commit fails, because its column must not be null.
      messages: messages.map((message, i) => ({
        ...message,
        addresses: i === 0 ? [address] : [null as never],
      })),
    });
    await expect(store.commit(failing)).rejects.toThrow();
    expect((await store.load()).cursor).toBe(77);
    expect(await loaded()).toEqual([watched(sensor)]);
    expect(await all()).toEqual([]);
    expect(await nextDelivery(store, address)).toBeNull();
  });

  test('commits 1,000 sensors, each with a transition and a message, at once', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `${sensor} ${String(i).padStart(3, '0')}`);
    const transitions = names.map((name) => poorAt(name, timeAt(0)));
    const messages = transitions.map((transition) => messageOf(transition.sensor, transition, address, 'b'));
    const sensors = names.map((name) => watched(name));
    await store.commit(changeOf({ sensors, transitions, messages }));
    const { sensors: known } = await store.load();
    expect(known.filter((one) => names.includes(one.sensor))).toHaveLength(1000);
    for (const name of [names[0], names[1]]) {
      expect((await nextDelivery(store, address))?.message.id).toBe(name);
      await store.record(attemptAt(1, [name as string, address], 'delivered'));
    }
    expect(await store.lastTransition(names[999] as string)).toEqual(transitions[999]);
  });

  describe('after pruning', () => alertPruningContract(() => store));
}
