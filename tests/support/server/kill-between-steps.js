/**
 * Kills a command under test between two changes of its folder. `node --import` loads it into the command. The command
 * dies before its change number `KILL_AT`. With `NO_LINKS`, the file system has no hard links.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let changes = 0;

/** @type {(name: 'linkSync' | 'renameSync' | 'rmSync' | 'copyFileSync') => void} */
function count(name) {
  const change = /** @type {any} */ (fs)[name];
  /** @param {any[]} args */
  const counted = (...args) => {
    // Removing a missing file changes nothing.
    if (name !== 'rmSync' || fs.existsSync(args[0])) changes += 1;
    if (changes === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL');
    if (name === 'linkSync' && process.env.NO_LINKS)
      throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
    return change(...args);
  };
  Object.assign(fs, { [name]: counted });
}

for (const name of /** @type {const} */ (['linkSync', 'renameSync', 'rmSync', 'copyFileSync'])) count(name);
syncBuiltinESMExports();
