import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataFolder, expandHome, IS_PACKAGE } from './installation.server.js';

/** The package's settings are in its data folder, because users don't write to the folder of an installed package. */
export const ENV_FILE = IS_PACKAGE ? join(dataFolder(), '.env') : '.env';

/**
 * Adds the settings in `.env` to `process.env`; variables that are already set win. The file is in the working
 * directory, or in the data folder of the package. A missing file is fine. An unreadable or invalid file ends the
 * process with exit code 1. For an invalid file, the message contains the number of the line.
 */
export function loadEnvFile() {
  try {
    const settings = parseEnvFile(readEnvFile());
    // The package may be started in any folder, but a relative path must always name the same database.
    if (IS_PACKAGE && settings.DATABASE_PATH)
      settings.DATABASE_PATH = resolve(dataFolder(), expandHome(settings.DATABASE_PATH));
    for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
  } catch (error) {
    console.error(`[airboard] can't read ${ENV_FILE}: ${/** @type {Error} */ (error).message}`);
    process.exit(1);
  }
}

/** Returns the content of `.env`, or an empty buffer if there is no such file. */
function readEnvFile() {
  try {
    return readFileSync(ENV_FILE);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    // A symbolic link to a missing file is an error, unlike a missing `.env`.
    if (code === 'ENOENT' && !lstatSync(ENV_FILE, { throwIfNoEntry: false })) return Buffer.of();
    throw new Error(`${message}. Make it a readable file, or remove it.`);
  }
}

/**
 * Returns the settings of a file. If a name is set twice, the last one wins. Stricter than `parseEnv` of `node:util`,
 * which skips invalid lines and cuts an unquoted value at any `#`.
 *
 * @param {Buffer} bytes
 * @returns {Record<string, string>}
 * @throws {Error} with the number of an invalid line, but without its text, which may contain a key
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
 * Returns the value after `=`, or null if its quotes don't match. A `#` after a space begins a comment. There are no
 * escapes, and `$` has no special meaning.
 *
 * @param {string} text
 */
function parseValue(text) {
  const [, , quoted] = /^\s*(["'`])((?:(?!\1).)*)\1\s*(?:(?<=\s)#.*)?$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  const [unquoted = ''] = text.split(/\s#/);
  return /^\s*["'`]/.test(unquoted) ? null : unquoted.trim();
}
