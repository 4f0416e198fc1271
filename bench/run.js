/** `npm run bench`: Vite loads the bench, so that it is TypeScript and shares what the tests have. */
import { createRequire } from 'node:module';
import { runnerImport } from 'vite';

const main = createRequire(import.meta.url).resolve('./main.ts');
await runnerImport(main, { configFile: false, logLevel: 'error' });
