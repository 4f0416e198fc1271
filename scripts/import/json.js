/** Reads airboard's own exports in JSON (an array) and NDJSON (a reading a line). */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ImportError } from '../fail.js';
import { FIELDS } from './columns.js';
import { readSample } from './csv.js';

/** @typedef {import('./readings.js').Item} Item */

/** The longest line in characters. An array may be on one line. */
const LINE_LIMIT = 256 * 1024 * 1024;

/** @param {string} file */
export function isJson(file) {
  return /^\uFEFF?\s*(\[\s*)?\{\s*"/.test(readSample(file));
}

/**
 * @param {string} file
 * @param {string | undefined} sensor overrides the names in the file; empty for the unnamed sensor
 * @returns {{ items: AsyncGenerator<Item>, repeatedTimes: () => number }}
 */
export function jsonReadings(file, sensor) {
  return { items: jsonItems(file, sensor), repeatedTimes: () => 0 };
}

/** @param {string} file @param {string | undefined} givenSensor @returns {AsyncGenerator<Item>} */
async function* jsonItems(file, givenSensor) {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    line += 1;
    if (text.length > LINE_LIMIT)
      throw new ImportError(`line ${line}: is over ${LINE_LIMIT} characters long`);
    for (const sent of parsedLine(text.replace(/^\uFEFF/, '').trim(), line)) {
      const { created_at, sensor: named, ...members } = sent;
      if (typeof created_at !== 'string') {
        yield { line, problem: 'created_at is missing' };
        continue;
      }
      const values = Object.fromEntries(
        FIELDS.flatMap((field) => (field in members ? [[field, members[field]]] : [])),
      );
      const sensor = givenSensor ?? named;
      yield { line, reading: { co2: null, voc: null, ...values, created_at, ...(sensor ? { sensor } : {}) } };
    }
  }
}

/**
 * Returns the readings of a line: an object, one of an array that spans several lines, or a whole array.
 *
 * @param {string} text
 * @param {number} line
 * @returns {Record<string, any>[]}
 */
function parsedLine(text, line) {
  const item = text.replace(/,$/, '');
  if (item === '' || item === '[' || item === ']') return [];
  for (const each of [item, item.replace(/^\[/, ''), item.replace(/\]$/, '')]) {
    try {
      const parsed = JSON.parse(each);
      return Array.isArray(parsed) ? parsed : [parsed];
    } catch {}
  }
  throw new ImportError(
    `line ${line}: is not a reading as JSON. Export as NDJSON or CSV, one reading a line`,
  );
}
