import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AlertChange, type AlertStore, LeaseLostError } from '../../app/store/alert-store';
import { attemptAt, changeOf, messageOf, nextDelivery, timeAt } from '../support/alerts/alert-changes';

/** A project without alerts. */
export interface TestedProject {
  /** Opens the store of another server. */
  open(): AlertStore;
  /** Ends the lease of a server that has stopped without releasing it. */
  endLease(): Promise<void>;
  close(): Promise<void>;
}

/** Declares the tests of two servers that keep their alerts in one project. */
export function alertLeaseContract(openProject: () => Promise<TestedProject>): void {
  let project: TestedProject;
  let [first, second]: AlertStore[] = [];

  beforeAll(async () => {
    project = await openProject();
    [first, second] = [project.open(), project.open()];
  });

  afterAll(() => project?.close());

  const stores = () => [first, second] as [AlertStore, AlertStore];
  const message = messageOf('one', null, 'address');
  const change: AlertChange = changeOf({ cursor: 3, messages: [message] });

  async function expectFenced(store: AlertStore): Promise<void> {
    for (const call of [
      () => store.commit(changeOf({ cursor: 99 })),
      () => store.record(attemptAt(1, ['one', 'address'], 'delivered')),
      () => nextDelivery(store, 'address'),
      () => store.prune(timeAt(0)),
      () => store.watch({ until: timeAt(0), patienceMs: 0 }),
    ]) {
      await expect(call()).rejects.toThrow(LeaseLostError);
    }
  }

  test('only one server holds the lease, and the other can neither change nor deliver anything', async () => {
    const [first, second] = stores();
    await expectFenced(first);
    expect(await first.hold()).toBe(true);
    expect(await second.hold()).toBe(false);
    expect(await first.hold()).toBe(true);
    await first.commit(change);
    await expectFenced(second);
    expect((await second.load()).cursor).toBe(3);
    expect((await nextDelivery(first, 'address'))?.message.id).toBe('one');
  });

  test('the other takes over when the lease has expired, and the first can no longer change anything', async () => {
    const [first, second] = stores();
    await project.endLease();
    // Nobody has taken over yet.
    await first.commit(changeOf({ cursor: 4 }));
    expect(await second.hold()).toBe(false);
    await project.endLease();
    expect(await second.hold()).toBe(true);
    await expectFenced(first);
    expect(await first.hold()).toBe(false);
    expect((await second.load()).cursor).toBe(4);
    expect((await nextDelivery(second, 'address'))?.attempts).toBe(0);
  });

  test('the first holds the lease again once the other has released it', async () => {
    const [first, second] = stores();
    await second.close();
    expect(await first.hold()).toBe(true);
    expect(await second.hold()).toBe(false);
    await first.commit(changeOf({ cursor: 5 }));
  });

  test('a server that slept while another held the lease fails once before it holds the lease again', async () => {
    const [first, second] = stores();
    await project.endLease();
    expect(await second.hold()).toBe(true);
    await second.commit(changeOf({ cursor: 6 }));
    await second.close();
    expect(await first.hold()).toBe(false);
    await expectFenced(first);
    expect(await first.hold()).toBe(true);
    expect((await first.load()).cursor).toBe(6);
  });

  test('only one of many simultaneous requests gets the lease', async () => {
    await project.endLease();
    const many = Array.from({ length: 8 }, () => project.open());
    const held = await Promise.all(many.map((store) => store.hold()));
    expect(held.filter(Boolean)).toHaveLength(1);
  });
}
