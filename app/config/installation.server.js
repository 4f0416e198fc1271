/**
 * How airboard was installed, as a package (`npm run package`) or in a checkout, and the defaults that follow from it.
 * Plain JavaScript, because scripts run without a build.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** True in the package. `scripts/package.js` replaces the variable when it bundles. */
export const IS_PACKAGE = Boolean(process.env.AIRBOARD_PACKAGE);

/**
 * Returns the folder of the package's data and settings, by the convention of the platform.
 *
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 * @param {{ platform?: string, env?: Record<string, string | undefined>, isRoot?: boolean }} [system] for tests
 */
export function dataFolder({
  platform = process.platform,
  env = process.env,
  isRoot = process.getuid?.() === 0,
} = {}) {
  const { XDG_DATA_HOME = '', LOCALAPPDATA = '' } = env;
  if (platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'airboard');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'airboard');
  // The XDG specification says to ignore relative paths.
  if (isAbsolute(XDG_DATA_HOME)) return join(XDG_DATA_HOME, 'airboard');
  // The folder of the service (`airboard service install`), so that root's commands work on its readings.
  return isRoot ? '/var/lib/airboard' : join(homedir(), '.local', 'share', 'airboard');
}

export const DEFAULT_PORT = 3000;
export const DEFAULT_DATABASE_PATH = IS_PACKAGE ? join(dataFolder(), 'readings.db') : 'data/readings.db';

/**
 * Replaces a `~` at the start of `DATABASE_PATH` with the home folder. No shell expands it in `.env`, systemd or Docker.
 *
 * @param {string} path
 */
export function expandHome(path) {
  return path.replace(/^~(?=$|[/\\])/, homedir());
}

/**
 * Returns the command line to show to a user, such as `airboard restore FILE`.
 *
 * @param {string} command
 * @param {string} [args]
 */
export function commandLine(command, args = '') {
  if (IS_PACKAGE) return `airboard ${command} ${args}`.trim();
  return args ? `npm run ${command} -- ${args}` : `npm run ${command}`;
}
