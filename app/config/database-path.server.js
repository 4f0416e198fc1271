import { homedir } from 'node:os';

/**
 * Returns the path in `DATABASE_PATH` with the home folder for a `~` at its start. No shell has put it there if the
 * setting comes from `.env`, systemd or Docker. Plain JavaScript, because scripts run without a build.
 *
 * @param {string} path
 */
export function expandHome(path) {
  return path.replace(/^~(?=$|[/\\])/, homedir());
}
