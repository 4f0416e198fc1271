/** Parses command-line arguments and reports errors in them. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ENV_FILE, loadEnvFile } from '../app/config/env-file.server.js';
import { DEFAULT_DATABASE_PATH, DEFAULT_PORT, expandHome } from '../app/config/installation.server.js';
import { canBeSensor, MAX_NAME_CHARACTERS } from '../app/readings/sensor-name.js';
import { fail, messageOf } from './fail.js';

/** @typedef {{ type: 'string' | 'boolean', multiple?: boolean, value?: string }} Option `value` is an example */
/** @typedef {Record<string, any>} Values */

/**
 * Parses a command's arguments with `read`. With `--help`, prints the usage and exits with code 0. If `read` throws, prints the
 * usage, then the error, and exits with code 2.
 *
 * @template T
 * @param {string | (() => string)} usage
 * @param {Record<string, Option>} options
 * @param {(values: Values, words: string[]) => T} read `words` are the arguments that aren't options
 * @returns {T}
 */
export function readArguments(usage, options, read) {
  const words = process.argv.slice(2);
  const text = () => (typeof usage === 'string' ? usage : usage());
  if (words.includes('--help') || words.includes('-h')) {
    console.log(text());
    process.exit(0);
  }
  try {
    const { values, positionals, tokens } = parseArgs({
      args: words,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
      ),
      allowPositionals: true,
      strict: false,
      tokens: true,
    });
    for (const token of tokens) if (token.kind === 'option') assertOption(token, options);
    return read(values, positionals);
  } catch (error) {
    return fail(`${text()}\n\n${messageOf(error)}`, 2);
  }
}

/**
 * @param {{ name: string, rawName: string, value?: string, inlineValue?: boolean }} token
 * @param {Record<string, Option>} options
 */
function assertOption({ name, rawName, value, inlineValue }, options) {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) {
    const known = Object.keys(options).map((other) => `--${other}`);
    const isSetting = ['host', 'port'].includes(name);
    const advice = isSetting
      ? `Settings come from the environment or ${ENV_FILE}`
      : known.length > 0
        ? `The options are ${known.join(', ')}`
        : 'This command has no options';
    throw new Error(`there is no option ${rawName}. ${advice}.`);
  }
  if (option.type === 'boolean' && value !== undefined) throw new Error(`--${name} takes no value.`);
  if (option.type === 'boolean') return;
  const example = option.value ? `, such as --${name} ${option.value}` : '';
  if (value === undefined) throw new Error(`--${name} needs a value${example}.`);
  if (!inlineValue && value.startsWith('-') && value !== '-') {
    throw new Error(
      `--${name} needs a value${example}. A value that begins with - is written --${name}=${value}`,
    );
  }
}

/**
 * Returns the only argument that isn't an option.
 *
 * @param {string[]} words
 * @param {string} name the argument's name in the usage
 */
export function onlyFile([file, ...others], name = 'FILE') {
  if (!file) throw new Error(`${name} is missing.`);
  if (others.length > 0) throw new Error(`only one ${name} is possible: remove ${others.join(' ')}.`);
  return file;
}

/**
 * Exits with code 1 if an input file is missing or isn't a regular file.
 *
 * @param {string} file
 */
export function requireFile(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) fail(`There is no file ${file}.`, 1);
  if (stats.isDirectory()) fail(`${file} is a folder. Name a file.`, 1);
  if (!stats.isFile()) fail(`${file} is a pipe or a device. Name a file.`, 1);
}

/** Returns the database file from `DATABASE_PATH`, in the environment or `.env`. */
export function databasePath() {
  loadEnvFile();
  return resolve(expandHome(process.env.DATABASE_PATH || DEFAULT_DATABASE_PATH));
}

/** Returns true if the settings name a Supabase project, in the environment or `.env`. */
export function isHosted() {
  loadEnvFile();
  return Boolean(process.env.SUPABASE_URL);
}

/** Returns the database path for a usage text. Ignores `.env`, so that the usage appears even if that file is invalid. */
export function databaseInUsage() {
  const { DATABASE_PATH } = process.env;
  return DATABASE_PATH
    ? `${resolve(expandHome(DATABASE_PATH))}, as DATABASE_PATH says`
    : `${resolve(DEFAULT_DATABASE_PATH)}, unless DATABASE_PATH names another one`;
}

/** Returns the address of the server to use. @param {Values} values */
export function serverUrl({ url }) {
  loadEnvFile();
  const address = url ?? `http://localhost:${process.env.PORT || DEFAULT_PORT}${process.env.BASE_PATH ?? ''}`;
  if (/^https?:/.test(address) && URL.canParse(address)) return address;
  throw new Error(`--url must be an address like http://localhost:3000, not "${address}".`);
}

/** Returns an address of the server's API, below the path of its own address. @param {string} url @param {string} path */
export function apiAddress(url, path) {
  return new URL(url.replace(/\/+$/, '') + path);
}

/** Returns the address of a list's next page, if there is one. @param {URL} page @param {Headers} headers @returns {URL | null} */
export function nextPage(page, headers) {
  const [, next] = /<(.*)>; rel="next"/.exec(headers.get('Link') ?? '') ?? [];
  return next === undefined ? null : new URL(next, page);
}

/**
 * Returns the header with the server's key, from the environment or `.env`: the `WRITE_KEY`, which opens everything, else the
 * `READ_KEY`.
 */
export function keyHeader() {
  loadEnvFile();
  const key = process.env.WRITE_KEY || process.env.READ_KEY;
  return key ? { Authorization: `Bearer ${key}` } : undefined;
}

/**
 * Trims and validates a sensor name.
 *
 * @param {string} text
 * @param {string} [what] the option or argument, for the error
 */
export function sensorName(text, what = '--sensor') {
  const name = text.trim();
  if (canBeSensor(name)) return name;
  throw new Error(
    `${what} must have at most ${MAX_NAME_CHARACTERS} characters and no control characters, not ${JSON.stringify(name)}.`,
  );
}

/**
 * Returns a day or time as ISO 8601 with a zone. Days are in UTC.
 *
 * @param {string} option
 * @param {string | undefined} text
 */
export function timeOption(option, text) {
  if (text === undefined) return undefined;
  const [match, day = '', clock] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const time = clock ? text : `${text}T00:00:00Z`;
  const date = new Date(`${day}T00:00:00Z`);
  // `Date` turns 2026-02-30 into a day in March.
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  if (match && isDay && !Number.isNaN(Date.parse(time))) return time;
  throw new Error(
    `--${option} must be a day like 2026-01-31, or a time with its zone like 2026-01-31T08:00:00Z, not "${text}".`,
  );
}
