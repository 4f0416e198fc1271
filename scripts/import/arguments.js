/** The arguments of `npm run import`. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadEnvFile } from '../../app/config/env-file.server.js';
import { commandLine } from '../../app/config/installation.server.js';
import { fail } from '../fail.js';
import { assertServerUrl, urlOption } from '../server-url.js';
import { showUsageIfAsked } from '../show-usage.js';

const USAGE = `usage: ${commandLine('import', 'FILE.csv [options]')}

  FILE.csv              an export of airboard, Home Assistant, AirGradient or InfluxDB, or any CSV file with --columns
  --sensor NAME         the sensor of all readings; "" for the one without a name. Default: the names in the file
  --url URL             the server, http://localhost:3000 (or the PORT of .env) by default
  --columns LIST        the columns of a file that isn't known: created_at=Time,co2="CO2 (ppm)",voc=TVOC,sensor=Room
  --co2 NAME            the entity of Home Assistant, or the field of InfluxDB (default co2), that is CO2
  --voc NAME            the same for VOC (default voc)
  --time-zone ZONE      the zone of times without an offset, such as Europe/Berlin
  --date-order ORDER    mdy or dmy, for dates like 03/04/2026
  --dry-run             shows the first readings as they would be sent, and sends none

A WRITE_KEY in the environment or .env is sent as the server's key. It is safe to start the command again: readings that
are stored already are recognized by their sensor and time.`;

const MEMBERS = ['created_at', 'co2', 'voc', 'sensor'];

/** Returns the arguments. If they are invalid or ask for the usage, prints it and ends the process. */
export function readArguments() {
  showUsageIfAsked(USAGE);
  loadEnvFile();
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        sensor: { type: 'string' },
        url: urlOption(),
        columns: { type: 'string' },
        co2: { type: 'string' },
        voc: { type: 'string' },
        'time-zone': { type: 'string' },
        'date-order': { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
      },
    });
    const {
      sensor,
      url,
      co2,
      voc,
      'time-zone': timeZone,
      'date-order': dateOrder,
      'dry-run': isDryRun,
    } = values;
    const [file, ...others] = positionals;
    if (file === undefined) throw new Error('FILE.csv is missing');
    if (others.length > 0) throw new Error(`only one file can be imported: remove ${others.join(' ')}`);
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    assertServerUrl(url);
    if (dateOrder !== undefined && dateOrder !== 'mdy' && dateOrder !== 'dmy') {
      throw new Error(`--date-order must be mdy or dmy, not "${dateOrder}"`);
    }
    const columns = { ...parseColumns(values.columns), ...(co2 && { co2 }), ...(voc && { voc }) };
    const times = /** @type {import('./time.js').TimeOptions} */ ({ timeZone, dateOrder });
    return { file, sensor: sensor?.trim(), url, columns, times, isDryRun };
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${USAGE}`, 2);
  }
}

/**
 * Parses `created_at=Time,co2="CO2, ppm"`. A name with a comma is quoted; the shell may have removed other quotes.
 *
 * @param {string} [text]
 * @returns {import('./layout.js').ColumnNames}
 */
export function parseColumns(text = '') {
  /** @type {Record<string, string>} */
  const columns = {};
  const pair = /([^=,]+)=(?:"([^"]*)"|([^",]*))(?:,|$)/gy;
  while (pair.lastIndex < text.length) {
    const [match, member = '', quoted, plain = ''] = pair.exec(text) ?? [];
    if (!match || !MEMBERS.includes(member.trim())) {
      throw new Error(`--columns must be like created_at=Time,co2="CO2 (ppm)", not "${text}"`);
    }
    columns[member.trim()] = quoted ?? plain;
  }
  return columns;
}
