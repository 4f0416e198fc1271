import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataFolder, expandHome, IS_PACKAGE } from './installation.server.js';

/** The package has no folder of its own that a user writes to, so its settings lie beside its readings. */
export const ENV_FILE = IS_PACKAGE ? join(dataFolder(), '.env') : '.env';

/**
 * Adds the settings of `.env`, in the working directory or the package's data folder, to `process.env`; variables that are set already win. A
 * missing file is fine. A file that can't be read as a whole ends the process with 1 and names the line.
 */
export function loadEnvFile() {
  try {
    const settings = parseEnvFile(readEnvFile());
    // The package is started anywhere, and a relative path in the file must always name the same database.
    if (IS_PACKAGE && settings.DATABASE_PATH)
      settings.DATABASE_PATH = resolve(dataFolder(), expandHome(settings.DATABASE_PATH));
    for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
  } catch (error) {
    console.error(`[airboard] can't read ${ENV_FILE}: ${/** @type {Error} */ (error).message}`);
    process.exit(1);
  }
}

/** Returns the content of `.env`, which is empty if there is no such file. */
function readEnvFile() {
  try {
    return readFileSync(ENV_FILE);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    // A link to a missing file isn't a missing `.env`.
    if (code === 'ENOENT' && !lstatSync(ENV_FILE, { throwIfNoEntry: false })) return Buffer.of();
    throw new Error(`${message}. Make it a readable file, or remove it.`);
  }
}

/**
 * Returns the settings of a file. If a name is set twice, the last one wins. Stricter than `parseEnv` of
 * `node:util`, which skips what it doesn't understand and cuts an unquoted value at any `#`.
 *
 * @param {Buffer} bytes
 * @returns {Record<string, string>}
 * @throws {Error} naming the line that isn't a setting. It doesn't quote the line, which may contain a key
 */
export function parseEnvFile(bytes) {
  const save = 'Save the file as UTF-8 without a byte order mark.';
  const start = bytes.toString('latin1', 0, 3);
  if (/^(\xff\xfe|\xfe\xff)/.test(start) || bytes.includes(0)) {
    throw new Error(`line 1 is UTF-16, as PowerShell and Notepad may write it. ${save}`);
  }
  if (start === '\xef\xbb\xbf') throw new Error(`line 1 begins with a byte order mark. ${save}`);
  /** @type {Record<string, string>} */
  const settings = {};
  for (const [index, line] of bytes
    .toString()
    .split(/\r\n|\n|\r/)
    .entries()) {
    const number = index + 1;
    if (line.includes('\ufffd')) throw new Error(`line ${number} isn't UTF-8. ${save}`);
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name = '', text = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? [];
    const value = parseValue(text);
    if (!name || value === null) {
      throw new Error(
        `line ${number} is not a setting. Write NAME=value. A quoted value ends on its line; only a comment may follow.`,
      );
    }
    settings[name] = value;
  }
  return settings;
}

/**
 * Returns the value of what follows `=`, or null if its quotes don't fit. A `#` after a space begins a comment. There
 * are no escapes, and `$` stands for itself.
 *
 * @param {string} text
 */
function parseValue(text) {
  const [, , quoted] = /^\s*(["'`])((?:(?!\1).)*)\1\s*(?:(?<=\s)#.*)?$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  const [unquoted = ''] = text.split(/\s#/);
  return /^\s*["'`]/.test(unquoted) ? null : unquoted.trim();
}
