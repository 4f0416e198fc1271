/** `npm run evaluate`: loads the evaluation with Vite, because it is TypeScript. */
import { createRequire } from 'node:module';
import { runnerImport } from 'vite';

const main = createRequire(import.meta.url).resolve('./evaluate-room.ts');
await runnerImport(main, { configFile: false, logLevel: 'error' });
