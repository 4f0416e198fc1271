import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AlertStore, LeaseLostError } from '../../../app/store/alert-store';
import { StoreUnavailableError } from '../../../app/store/reading-store';
import { openSupabaseStore } from '../../../app/store/supabase/supabase-store.server';
import { changeOf, poorAt, timeAt, watched } from '../../support/alerts/alert-changes';
import { type SupabaseDouble, startSupabaseDouble } from '../../support/supabase/supabase-double';

let double: SupabaseDouble;
let alerts: AlertStore;

beforeEach(async () => {
  double = await startSupabaseDouble();
  alerts = open() as AlertStore;
});

afterEach(() => double.stop());

const open = (serverKey = double.secretKey, timeoutMs?: number) =>
  openSupabaseStore({ ...double, serverKey }, timeoutMs).alerts;

test('stores no alerts without the secret key', () => {
  expect(open(double.publicKey)).toBeNull();
});

test('names the missing migration, and still stores readings', async () => {
  await double.run('drop function alert_hold, alert_load, alert_recent');
  const message =
    'The Supabase project lacks the migration 20261128092000_alerts.sql. Apply supabase/migrations to the project.';
  for (const call of [() => alerts.hold(), () => alerts.load(), () => alerts.recent(1)]) {
    const failing = call();
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toThrow(StoreUnavailableError);
  }
  const store = openSupabaseStore({ ...double, serverKey: double.secretKey });
  expect(await store.insert({ co2: 1, voc: 1 })).toMatchObject({ outcome: 'stored' });
});

test('loads each sensor once if a response has no room for all', async () => {
  const sensors = Array.from({ length: 2500 }, (_, i) => watched(`sensor ${i}`, { notifiedAt: timeAt(i) }));
  await alerts.hold();
  await alerts.commit(changeOf({ cursor: 4, sensors }));
  double.rest.requests.length = 0;
  const loaded = await alerts.load();
  expect(loaded.cursor).toBe(4);
  const byName = (a: { sensor: string }, b: { sensor: string }) => (a.sensor < b.sensor ? -1 : 1);
  expect(loaded.sensors.toSorted(byName)).toEqual(sensors.toSorted(byName));
  expect(double.rest.requests).toHaveLength(3);
});

test('a commit with a lost response can be repeated', async () => {
  await alerts.hold();
  const change = changeOf({ transitions: [poorAt('Kitchen', timeAt(0))] });
  double.rest.fault = () => ({ kind: 'cut', stored: true });
  await expect(alerts.commit(change)).rejects.toThrow('The connection to Supabase broke off.');
  double.rest.fault = () => null;
  await alerts.commit(change);
  expect(await alerts.recent(10)).toHaveLength(1);
});

test('reports a timeout, not a lost lease, while the project does not answer', async () => {
  const impatient = open(double.secretKey, 200) as AlertStore;
  expect(await impatient.hold()).toBe(true);
  double.rest.fault = () => ({ kind: 'hang' });
  const failing = impatient.commit(changeOf({}));
  await expect(failing).rejects.toThrow(StoreUnavailableError);
  await expect(failing).rejects.not.toThrow(LeaseLostError);
  double.rest.fault = () => null;
  await impatient.commit(changeOf({}));
});
