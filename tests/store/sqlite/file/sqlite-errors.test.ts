import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openError } from '../../../../app/store/sqlite/file/sqlite-errors.server.js';
import { openSqliteFile } from '../../../../app/store/sqlite/file/sqlite-file.server.js';
import { temporaryFolder } from '../../../support/server/server';

const withCode = (code: string) => Object.assign(new Error('the words of a library'), { code });

test.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC'])(
  'advises to free space after %s at the start',
  (code) => {
    const full = "can't keep readings in /air.db: the disk is full. Make room on it, then start again.";
    expect(openError('/air.db', withCode(code)).message).toBe(full);
  },
);

test('advises a writable folder after any other error at the start', () => {
  const { message } = openError('/air.db', withCode('EACCES'));
  expect(message).toBe(
    "can't keep readings in /air.db: the words of a library. Set DATABASE_PATH to a file in a writable folder.",
  );
});

/** A file system of 2 MB; null if this process can't mount one. */
function smallDisk(): string | null {
  const folder = temporaryFolder();
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

test('on a full disk, neither a new nor an existing file opens, and the error says why', ({ skip }) => {
  const folder = smallDisk();
  if (!folder) return skip();
  openSqliteFile(join(folder, 'readings.db')).close();
  mkdirSync(join(folder, 'new'));
  expect(() => writeFileSync(join(folder, 'ballast'), Buffer.alloc(4 * 1024 * 1024))).toThrow('ENOSPC');
  for (const name of ['readings.db', 'new/readings.db']) {
    const open = () => openSqliteFile(join(folder, name));
    expect(open).toThrow(`${name}: the disk is full. Make room on it, then start again.`);
  }
});
