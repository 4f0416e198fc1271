/** `npm run bench`: loads the bench with Vite, because it is TypeScript and imports test code. */
import { createRequire } from 'node:module';
import { runnerImport } from 'vite';

const main = createRequire(import.meta.url).resolve('./main.ts');
await runnerImport(main, { configFile: false, logLevel: 'error' });
