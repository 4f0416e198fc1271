/** `npm run bench`: loads the bench through Vite, because it is TypeScript and imports code of the tests. */
import { createRequire } from 'node:module';
import { runnerImport } from 'vite';

const main = createRequire(import.meta.url).resolve('./main.ts');
await runnerImport(main, { configFile: false, logLevel: 'error' });
