import { beforeEach, expect, test } from 'vitest';
import type { AlertStore } from '../../app/store/alert-store';
import { attemptAt, changeOf, messageOf, nextDelivery, poorAt } from '../support/alerts/alert-changes';

/** The first day to prune, long before all other transitions and messages of the contract. */
const OLD = '2025-03-01T00:00:00.000Z';
const LIMIT = '2025-06-01T00:00:00.000Z';

/** Declares the tests of pruning a store. */
export function alertPruningContract(getStore: () => AlertStore): void {
  let sensor: string;
  let store: AlertStore;
  let tests = 0;

  beforeEach(() => {
    store = getStore();
    sensor = `pruned ${++tests}`;
  });

  const dayOf = (day: number) => new Date(Date.parse(OLD) + day * 86_400_000).toISOString();
  const all = async () =>
    (await store.recent(5000))
      .filter((known) => known.sensor === sensor)
      .map(({ at }) => at)
      .reverse();

  test('removes transitions from before the time', async () => {
    const times = [dayOf(0), dayOf(1), LIMIT, dayOf(200)];
    await store.commit(changeOf({ transitions: times.map((time) => poorAt(sensor, time)) }));
    await store.prune(LIMIT);
    expect(await all()).toEqual([LIMIT, dayOf(200)]);
  });

  test('keeps the last transition of each sensor', async () => {
    await store.commit(changeOf({ transitions: [0, 1, 2].map((day) => poorAt(sensor, dayOf(day))) }));
    await store.prune(LIMIT);
    expect(await all()).toEqual([dayOf(2)]);
  });

  test('keeps undelivered messages, and removes finished ones with their attempts', async () => {
    const transition = poorAt(sensor, dayOf(1));
    const at = { ...transition };
    const messages = ['ended', 'half', 'newer'].map((name, i) => ({
      ...messageOf(`${sensor} ${name}`, at, sensor, `${sensor} b`),
      createdAt: i === 2 ? LIMIT : dayOf(1),
    }));
    await store.commit(changeOf({ transitions: [transition], messages }));
    for (const [i, name] of ['ended', 'half', 'newer'].entries()) {
      await store.record(attemptAt(i, [`${sensor} ${name}`, sensor], 'delivered'));
    }
    await store.record(attemptAt(9, [`${sensor} ended`, `${sensor} b`], 'failed'));
    await store.record(attemptAt(9, [`${sensor} newer`, `${sensor} b`], 'failed'));
    await store.prune(LIMIT);
    const [known] = (await store.recent(5000)).filter((one) => one.sensor === sensor);
    expect(known?.deliveries.map(({ messageId, state }) => [messageId, state])).toEqual([
      [`${sensor} half`, 'delivered'],
      [`${sensor} half`, 'pending'],
      [`${sensor} newer`, 'delivered'],
      [`${sensor} newer`, 'failed'],
    ]);
    expect((await nextDelivery(store, `${sensor} b`))?.message.id).toBe(`${sensor} half`);
    // The id of a removed message is unknown.
    await store.commit(changeOf({ messages: [messageOf(`${sensor} ended`, null, `${sensor} c`)] }));
    expect((await nextDelivery(store, `${sensor} c`))?.message.id).toBe(`${sensor} ended`);
  });

  test('removes thousands of each, in steps', async () => {
    const numbers = Array.from({ length: 1500 }, (_, i) => i);
    const transitions = numbers.map((i) => poorAt(sensor, dayOf(i / 10_000)));
    const messages = numbers.map((i) => ({ ...messageOf(`${sensor} ${i}`, null), createdAt: dayOf(0) }));
    await store.commit(changeOf({ transitions, messages }));
    await store.prune(LIMIT);
    expect(await all()).toEqual([transitions.at(-1)?.at]);
  });
}
