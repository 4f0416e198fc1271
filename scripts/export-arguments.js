/** The arguments of `npm run export`. */
import { extname } from 'node:path';
import { commandLine } from '../app/config/installation.server.js';
import { onlyFile, readArguments, serverUrl, timeOption } from './arguments.js';

const USAGE = `usage: ${commandLine('export', '[FILE] [options]')}

  FILE             the file to write; must not exist. Without it, or with -, standard output. Notes, if any, are written
                   beside it, to FILE-notes.csv
  --format FORMAT  csv, ndjson or json. Default: the extension of FILE, or csv without one
  --sensor NAME    only this sensor; "" for the one without a name
  --from TIME      only readings from this day (of UTC) or time on, such as 2026-01-31 or 2026-01-31T08:00:00Z
  --to TIME        only readings before this day or time
  --raw            values as posted, without the corrections of sensors
  --url URL        the server, http://localhost:3000 (or the PORT of .env) by default

${commandLine('import')} reads the CSV file again. This needs a running server; ${commandLine('backup')} doesn't.`;

const FORMATS = new Map([
  ['csv', 'csv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
]);

/** Returns the parsed arguments. If they are invalid or contain `--help`, prints the usage and exits. */
export function exportArguments() {
  return readArguments(
    USAGE,
    {
      format: { type: 'string', value: 'csv' },
      sensor: { type: 'string', value: 'Kitchen' },
      from: { type: 'string', value: '2026-01-31' },
      to: { type: 'string', value: '2026-02-28' },
      raw: { type: 'boolean' },
      url: { type: 'string', value: 'http://192.168.1.20:3000' },
    },
    ({ format, sensor, from, to, raw, ...others }, words) => {
      const name = words.length > 0 ? onlyFile(words) : '-';
      if (format !== undefined && !['csv', 'ndjson', 'json'].includes(format)) {
        throw new Error(`--format must be csv, ndjson or json, not "${format}".`);
      }
      const ending = extname(name).slice(1);
      const named = FORMATS.get(ending.toLowerCase());
      if (format === undefined && ending !== '' && named === undefined) {
        throw new Error(
          `the format "${ending}" can't be written: name the file .csv, .ndjson, .jsonl or .json, or add --format.`,
        );
      }
      const span = { from: timeOption('from', from), to: timeOption('to', to) };
      /** @type {Record<string, string>} */
      const query = JSON.parse(JSON.stringify({ sensor, ...span }));
      const file = name === '-' ? null : name;
      return { file, format: format ?? named ?? 'csv', url: serverUrl(others), query, isRaw: raw === true };
    },
  );
}
