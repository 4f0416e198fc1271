import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/**
 * Adds the settings of `.env` in the working directory to `process.env`; variables that are set already win. A
 * missing file is fine. If the file can't be read, prints the reason and ends the process with 1.
 *
 * `remix vite:dev` loads the file itself, remix-serve doesn't.
 */
export function loadEnvFile() {
  for (const [name, value] of Object.entries(parseEnv(readEnvFile()))) process.env[name] ??= value;
}

// `process.loadEnvFile` of Node 20 reports every unreadable file as missing.
function readEnvFile() {
  try {
    return readFileSync('.env', 'utf8');
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') return '';
    console.error(`[airboard] can't read .env: ${message}. Make it a readable file, or remove it.`);
    return process.exit(1);
  }
}
