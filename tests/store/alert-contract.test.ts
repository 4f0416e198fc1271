import { join } from 'node:path';
import { describe } from 'vitest';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { alertContract } from '../contracts/alert-contract';
import { temporaryFolder } from '../support/server';

describe('the alerts of the embedded store', () => {
  alertContract(async () => {
    const store = openSqliteStore(join(temporaryFolder(), 'readings.db'));
    if (!store.alerts) throw new Error('the embedded store keeps alerts');
    return { store: store.alerts, close: store.close };
  });
});
