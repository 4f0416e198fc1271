import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertStore } from '../../app/store/alert-store';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { alertContract } from '../contracts/alert-contract';
import { alertLeaseContract } from '../contracts/alert-lease-contract';
import { type LiteServer, startLite } from '../support/supabase/lite-server';
import { type Database, errorOf, migrate, openPostgres } from '../support/supabase/pglite';

/** A long timeout, because a Postgres in WebAssembly is slow on a busy machine. */
const PATIENT_MS = 30_000;

function alertsOf(lite: LiteServer): AlertStore {
  const { alerts } = openSupabaseStore({ ...lite, serverKey: lite.secretKey }, PATIENT_MS);
  if (!alerts) throw new Error('with a secret key, the hosted store keeps alerts');
  return alerts;
}

describe('a real PostgREST-compatible server, with the secret key', () => {
  alertContract(async () => {
    const lite = await startLite();
    return { store: alertsOf(lite), close: lite.stop };
  });
});

describe('two servers with one real PostgREST-compatible server', () => {
  alertLeaseContract(async () => {
    const lite = await startLite();
    const release = (of_token: number) =>
      fetch(`${lite.url}/rest/v1/rpc/alert_release`, {
        method: 'POST',
        headers: { apikey: lite.secretKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ of_token }),
      });
    return {
      open: () => alertsOf(lite),
      // Releasing a lease has the same effect as its expiry.
      endLease: async () => {
        for (let token = 1; token < 8; token++) expect((await release(token)).ok).toBe(true);
      },
      close: lite.stop,
    };
  });
});

test('the public key may not call any alert function of a real server', async () => {
  const lite = await startLite();
  const calls = {
    commit: { of_token: 1, changes: {} },
    recent: { at_most: 1, attempts_at_most: 1 },
    hold: { of_holder: '00000000-0000-0000-0000-000000000001', lease_seconds: 30 },
  };
  for (const [name, parameters] of Object.entries(calls)) {
    const response = await fetch(`${lite.url}/rest/v1/rpc/alert_${name}`, {
      method: 'POST',
      headers: { apikey: lite.publicKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(parameters),
    });
    expect(response.ok, name).toBe(false);
    expect(await response.json(), name).toMatchObject({ code: '42501' });
  }
  await lite.stop();
});

const TABLES = [
  'lease',
  'progress',
  'sensors',
  'transitions',
  'messages',
  'deliveries',
  'attempts',
  'watched',
];
const FUNCTIONS = [
  "hold('00000000-0000-0000-0000-000000000001', 30)",
  'release(1)',
  'renew(1)',
  "load('', 1)",
  "commit(1, '{}')",
  "last_transition('')",
  "pending('')",
  "waiting(1, '', 1)",
  "summarize(1, '', '[]', 1, '{}')",
  "record(1, '{}')",
  'recent(1, 1)',
  'prune(1, now(), 1)',
  'watch(1, now(), 0)',
  'recent_messages(1, 1)',
];

describe('on a real Postgres', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
  });

  beforeEach(() => database.exec('reset role'));

  afterAll(() => database.close());

  describe.each(['anon', 'authenticated'])('the role %s', (role) => {
    beforeEach(() => database.exec(`set role ${role}`));

    test.each(TABLES)('can neither read nor write alert_%s', async (table) => {
      for (const sql of [
        `select * from alert_${table}`,
        `insert into alert_${table} default values`,
        `delete from alert_${table}`,
        `truncate alert_${table}`,
      ]) {
        expect(await errorOf(database, sql), sql).toMatch(`permission denied for table alert_${table}`);
      }
    });

    test.each(FUNCTIONS)('may not call alert_%s', async (call) => {
      expect(await errorOf(database, `select alert_${call}`)).toMatch(
        /permission denied for function alert_/,
      );
    });
  });

  test('the role of the secret key may use the tables only through the functions', async () => {
    await database.exec('set role service_role');
    for (const table of TABLES) {
      expect(await errorOf(database, `select * from alert_${table}`)).toMatch(/permission denied for table/);
    }
    for (const call of FUNCTIONS.filter((call) => call !== 'renew(1)' && !call.startsWith('pending'))) {
      expect(await errorOf(database, `select alert_${call}`), call).not.toMatch(/permission denied/);
    }
    expect(await errorOf(database, 'select alert_renew(1)')).toMatch(
      /permission denied for function alert_renew/,
    );
  });

  test('every table has row level security, and no policy', async () => {
    const { rows } = await database.query<{ relname: string }>(
      `select relname from pg_class where relname ~ '^alert_' and relkind = 'r' and relrowsecurity order by relname`,
    );
    expect(rows.map(({ relname }) => relname)).toEqual(TABLES.map((name) => `alert_${name}`).sort());
    expect((await database.query(`select from pg_policies where tablename ~ '^alert_'`)).rows).toEqual([]);
  });
});
