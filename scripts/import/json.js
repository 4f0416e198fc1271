/** Reads airboard's own exports in JSON (an array) and NDJSON (a reading a line). */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { FIELDS } from './columns.js';
import { encodingOf, readSample } from './sample.js';

/** @typedef {import('./readings.js').Item} Item */

/** @param {string} file */
export function isJson(file) {
  return /^\uFEFF?\s*(\[\s*)?\{\s*"/.test(readSample(file));
}

/**
 * @param {string} file
 * @param {string | undefined} sensor overrides the names in the file; empty for the unnamed sensor
 * @returns {ReturnType<typeof import('./readings.js').readReadings>}
 */
export function jsonReadings(file, sensor) {
  return { items: jsonItems(file, sensor), repeatedTimes: () => 0 };
}

/** @param {string} file @param {string | undefined} givenSensor @returns {AsyncGenerator<Item>} */
async function* jsonItems(file, givenSensor) {
  let line = 0;
  const input = createReadStream(file, encodingOf(file));
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1;
    for (const sent of parsedLine(text)) {
      const { created_at, sensor: named, ...members } = sent ?? {};
      if (typeof created_at !== 'string') {
        const problem = sent === undefined ? 'is not a reading as JSON' : 'created_at is missing';
        yield { line, problem };
        continue;
      }
      const values = Object.fromEntries(
        FIELDS.flatMap((field) => (field in members ? [[field, members[field]]] : [])),
      );
      const sensor = givenSensor ?? named;
      yield { line, reading: { co2: null, voc: null, ...values, created_at, ...(sensor && { sensor }) } };
    }
  }
}

/**
 * Returns the readings of a line: one, or those of an array. An array may span lines, with its brackets and commas at their ends.
 * A line that isn't JSON gives undefined.
 *
 * @param {string} text
 * @returns {(Record<string, any> | null | undefined)[]}
 */
function parsedLine(text) {
  const items = text
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/^\[|\]$|^,|,$/g, '');
  try {
    return JSON.parse(`[${items}]`);
  } catch {
    return [undefined];
  }
}
