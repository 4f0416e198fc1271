/** The arguments of `npm run import`. */
import { resolve } from 'node:path';
import { commandLine } from '../../app/config/installation.server.js';
import { onlyFile, readArguments, requireFile, sensorName, serverUrl } from '../arguments.js';
import { assertUnit, FIELDS } from './columns.js';

/** @param {string} field */
const optionName = (field) => field.replaceAll('_', '-');

const USAGE = `usage: ${commandLine('import', 'FILE.csv [options]')}

  FILE.csv              an export of airboard, Home Assistant, AirGradient or InfluxDB (also line protocol), or another table.
                        Metrics are found by the usual names and units of their columns; the output lists the columns used.
                        The notes of an export are recognized by their header line
  --sensor NAME         the sensor of all readings; "" for the one without a name. Default: the names in the file
  --url URL             the server, http://localhost:3000 (or the PORT of .env) by default
  --columns LIST        columns that aren't found: created_at=Time,co2="CO2 (ppm)",pm25="Fine dust",sensor=Room
  --units LIST          units that the column names lack: temperature=°F,pressure=inHg
  --co2 NAME            the entity of Home Assistant, or the field of InfluxDB, that is CO2. The same for the others:
                        ${FIELDS.slice(1)
                          .map((field) => `--${optionName(field)}`)
                          .join(' ')}
  --where COLUMN=VALUE  only rows with this value in this column, or lines with this tag; may be repeated
  --on-conflict WHAT    for rows with the same sensor and time but different values: keep the first (the default),
                        replace it with the last, or average them. A stored reading never changes
  --time-zone ZONE      the zone of times without an offset, such as Europe/Berlin or -07:00
  --date-order ORDER    mdy or dmy, for dates like 03/04/2026; ymd for 26/04/03. Default: found by all dates of the file
  --decimal SIGN        the sign before decimals, a comma or a point. Default: found by all numbers of the file
  --errors FILE         writes all refused lines to this file. Default: a new file if there are more than 20
  --dry-run             shows the first readings as they would be sent, and sends none
  --as-now              posts the rows one after another, as if they were measured now: ${commandLine('replay')}

A WRITE_KEY in the environment or .env is sent as the server's key. It is safe to start the command again: readings that
are stored already are recognized by their sensor and time.

Exit codes: 0 every reading is stored, 1 failed or nothing was stored, 2 wrong arguments, 3 some lines were refused and
the others are stored, 130 stopped by Ctrl-C.`;

const MEMBERS = ['created_at', ...FIELDS, 'sensor'];

/** @typedef {'keep' | 'replace' | 'average'} ConflictRule */
/** @typedef {{ column: string, value: string }} Condition */

const OPTIONS = /** @type {const} */ ({
  sensor: { type: 'string', value: 'Kitchen' },
  url: { type: 'string', value: 'http://192.168.1.20:3000' },
  columns: { type: 'string', value: `'created_at=Time,co2="CO2 (ppm)"'` },
  units: { type: 'string', value: 'temperature=°F' },
  where: { type: 'string', multiple: true, value: 'entity_id=bedroom_co2' },
  'on-conflict': { type: 'string', value: 'average' },
  'time-zone': { type: 'string', value: 'Europe/Berlin' },
  'date-order': { type: 'string', value: 'dmy' },
  decimal: { type: 'string', value: ',' },
  errors: { type: 'string', value: 'refused.txt' },
  'dry-run': { type: 'boolean' },
});

/** @type {Record<string, import('../arguments.js').Option>} */
const METRIC_OPTIONS = Object.fromEntries(
  FIELDS.map((field) => [optionName(field), { type: 'string', value: `sensor.bedroom_${field}` }]),
);

/** Returns the parsed arguments. If they are invalid or contain `--help`, prints the usage and exits. */
export function importArguments() {
  const found = readArguments(USAGE, { ...OPTIONS, ...METRIC_OPTIONS }, (values, words) => {
    const file = onlyFile(words, 'FILE.csv');
    const { sensor, errors } = values;
    const named = FIELDS.map((field) => [field, values[optionName(field)]]).filter(([, name]) => name);
    const {
      'date-order': dateOrder,
      'on-conflict': onConflict = 'keep',
      'time-zone': timeZone,
      decimal,
    } = values;
    if (dateOrder !== undefined && !['mdy', 'dmy', 'ymd'].includes(dateOrder)) {
      throw new Error(`--date-order must be mdy, dmy or ymd, not "${dateOrder}".`);
    }
    if (decimal !== undefined && decimal !== ',' && decimal !== '.') {
      throw new Error(`--decimal must be a comma or a point, not "${decimal}".`);
    }
    if (!['keep', 'replace', 'average'].includes(onConflict)) {
      throw new Error(`--on-conflict must be keep, replace or average, not "${onConflict}".`);
    }
    if (errors !== undefined && resolve(errors) === resolve(file)) {
      throw new Error('--errors must be another file than the one to import.');
    }
    return {
      file,
      errors: /** @type {string | undefined} */ (errors),
      sensor: sensor === undefined ? undefined : sensorName(sensor),
      url: serverUrl(values),
      columns: { ...parseColumns(values.columns), ...Object.fromEntries(named) },
      units: parseUnits(values.units),
      where: (values.where ?? []).map(parseCondition),
      onConflict: /** @type {ConflictRule} */ (onConflict),
      decimal: /** @type {import('./numbers.js').Decimal | undefined} */ (decimal),
      times: /** @type {import('./time.js').TimeOptions} */ ({ timeZone, dateOrder }),
      isDryRun: values['dry-run'] === true,
    };
  });
  requireFile(found.file);
  return found;
}

/** @param {string} [text] @returns {import('./columns.js').Units} */
export function parseUnits(text = '') {
  /** @type {Record<string, string>} */
  const units = {};
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', unit = ''] = part.split('=').map((each) => each.trim());
    const field = FIELDS.find((field) => field === name);
    if (!field) {
      throw new Error(
        `--units must be like temperature=°F,pressure=inHg, not "${text}". The names are ${FIELDS.join(', ')}.`,
      );
    }
    assertUnit(field, unit);
    units[field] = unit;
  }
  return units;
}

/** @param {string} text @returns {Condition} */
function parseCondition(text) {
  const [, column = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (column) return { column, value };
  throw new Error(`--where must be like entity_id=bedroom_co2, not "${text}".`);
}

/**
 * Parses `created_at=Time,co2="CO2, ppm"`. A name that contains a comma has quotes, and quotes in it are doubled; other quotes are
 * optional, because the shell may have removed them.
 *
 * @param {string} [text]
 * @returns {import('./layout.js').ColumnNames}
 */
export function parseColumns(text = '') {
  /** @type {Record<string, string>} */
  const columns = {};
  const pair = /([^=,]+)=(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/gy;
  while (pair.lastIndex < text.length) {
    const [match, member = '', quoted, plain = ''] = pair.exec(text) ?? [];
    if (!match || !MEMBERS.includes(member.trim())) {
      throw new Error(
        `--columns must be like created_at=Time,co2="CO2 (ppm)", not "${text}". The names are ${MEMBERS.join(', ')}.`,
      );
    }
    columns[member.trim()] = quoted?.replaceAll('""', '"') ?? plain;
  }
  return columns;
}
