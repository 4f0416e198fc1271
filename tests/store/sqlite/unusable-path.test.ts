import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StartupError } from '../../../app/config/env.server';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../support/server/server';

// A StartupError ends the server with one line and no stack: tests/server/boot.slow.test.ts.
test.each<[what: string, path: () => string, reason: string]>([
  ['a folder below a file', belowFile, 'DATABASE_PATH'],
  [
    "a folder that the system can't create",
    () => '/proc/nowhere/below/readings.db',
    "can't keep readings in",
  ],
  ['a folder instead of a file', temporaryFolder, "can't be opened as a file"],
])('refuses %s', (_, pathOf, reason) => {
  const path = pathOf();
  const open = () => openSqliteStore(path);
  expect(open).toThrow(StartupError);
  expect(open).toThrow(reason);
  expect(open).toThrow(path.replace(/[/]readings.db$/, ''));
});

function belowFile(): string {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  return join(file, 'sub', 'readings.db');
}
