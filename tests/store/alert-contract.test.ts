import { join } from 'node:path';
import { describe } from 'vitest';
import type { AlertStore } from '../../app/store/alert-store';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { alertContract } from '../contracts/alert-contract';
import { alertLeaseContract } from '../contracts/alert-lease-contract';
import { temporaryFolder } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';

/** A long timeout, because the double of Supabase runs in the test process. */
const PATIENT_MS = 30_000;

describe('alerts in the embedded store', () => {
  alertContract(async () => {
    const store = openSqliteStore(join(temporaryFolder(), 'readings.db'));
    if (!store.alerts) throw new Error('the embedded store keeps alerts');
    const insert = (sensor: string) => store.insert({ co2: 1, voc: 1, sensor });
    return { store: store.alerts, insert, close: store.close };
  });
});

describe('alerts in the hosted store', () => {
  alertContract(async () => {
    const double = await startSupabaseDouble();
    return { store: alertsOf(double), close: double.stop };
  });
});

describe('two servers with one hosted store', () => {
  alertLeaseContract(async () => {
    const double = await startSupabaseDouble();
    return {
      open: () => alertsOf(double),
      endLease: () => double.run("update alert_lease set until = '-infinity'"),
      close: double.stop,
    };
  });
});

function alertsOf(double: SupabaseDouble): AlertStore {
  const { alerts } = openSupabaseStore({ ...double, serverKey: double.secretKey }, PATIENT_MS);
  if (!alerts) throw new Error('with a secret key, the hosted store keeps alerts');
  return alerts;
}
