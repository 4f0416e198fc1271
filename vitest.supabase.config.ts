import { defineConfig } from 'vitest/config';

/** `npm run test:supabase`: a Postgres in memory, a server that npx fetches, and a real project if the environment names one. */
export default defineConfig({
  test: {
    name: 'supabase',
    include: ['tests/supabase/**/*.test.ts'],
    pool: 'forks',
    globalSetup: 'tests/support/own-temporary-folder.ts',
    // Each file starts its own servers, which take most of a processor.
    maxWorkers: 2,
    // Files share the prepared databases of tests/support/supabase/lite-server.ts.
    isolate: false,
    testTimeout: 120_000,
    // The first hook waits until npx has fetched the server.
    hookTimeout: 300_000,
  },
});
