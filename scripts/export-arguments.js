/** The arguments of `npm run export`. */
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { loadEnvFile } from '../app/config/env-file.server.js';
import { commandLine } from '../app/config/installation.server.js';
import { fail } from './fail.js';
import { assertServerUrl, urlOption } from './server-url.js';
import { showUsageIfAsked } from './show-usage.js';

const USAGE = `usage: ${commandLine('export', '[FILE] [options]')}

  FILE             what to write; must not exist. Without it, or with -, standard output
  --format FORMAT  csv, ndjson or json. Default: what the name of FILE ends with, or csv if it has no ending
  --sensor NAME    only this sensor; "" for the one without a name
  --from TIME      only readings from this day (of UTC) or time on, such as 2026-01-31 or 2026-01-31T08:00:00Z
  --to TIME        only readings before this day or time
  --url URL        the server, http://localhost:3000 (or the PORT of .env) by default

${commandLine('import')} reads the CSV file again. A server that runs is asked; ${commandLine('backup')} needs none.`;

const FORMATS = new Map([
  ['csv', 'csv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
]);

/** Returns the arguments. If they are invalid or ask for the usage, prints it and ends the process. */
export function readArguments() {
  showUsageIfAsked(USAGE);
  loadEnvFile();
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        format: { type: 'string' },
        sensor: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        url: urlOption(),
      },
    });
    const { format, url, ...query } = values;
    for (const name of /** @type {const} */ (['from', 'to']))
      if (/^\d{4}-\d\d-\d\d$/.test(query[name] ?? '')) query[name] += 'T00:00:00Z';
    const [name = '-', ...others] = positionals;
    if (others.length > 0) throw new Error(`only one file can be written: remove ${others.join(' ')}`);
    if (format !== undefined && !['csv', 'ndjson', 'json'].includes(format)) {
      throw new Error(`--format must be csv, ndjson or json, not "${format}"`);
    }
    assertServerUrl(url);
    const ending = extname(name).slice(1);
    const named = FORMATS.get(ending.toLowerCase());
    if (format === undefined && ending !== '' && named === undefined) {
      throw new Error(
        `"${ending}" is no format that can be written: name the file .csv, .ndjson, .jsonl or .json, or add --format`,
      );
    }
    return {
      file: name === '-' ? null : name,
      format: format ?? named ?? 'csv',
      url,
      query: /** @type {Record<string, string>} */ ({ ...query }),
    };
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${USAGE}`, 2);
  }
}
