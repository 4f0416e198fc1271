import { readFileSync } from 'node:fs';

/** The version of airboard. Read once, when the server starts: an update may replace the file while it runs. */
export const VERSION: string = JSON.parse(readFileSync('package.json', 'utf8')).version;
