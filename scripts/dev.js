/** `npm run dev`: checks the requirements, then runs `remix vite:dev` in this process. `vite.config.ts` configures it. */
import { createRequire } from 'node:module';
import { checkRequirements } from './serve/check-requirements.js';

checkRequirements();
process.argv.splice(2, 0, 'vite:dev');
import('./build/build-app.js').then(({ requireBuilder }) => createRequire(import.meta.url)(requireBuilder()));
