import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Writes a file or folder to the disk. @param {string} path */
export function syncFile(path) {
  const opened = openSync(path, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
