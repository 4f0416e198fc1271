import { defineConfig } from 'vitest/config';

/** `npm run test:supabase`: against real servers, which npx fetches, and a real project where one is named. */
export default defineConfig({
  test: {
    name: 'supabase',
    include: ['tests/supabase/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    // The first one waits for npx to fetch the server.
    hookTimeout: 300_000,
  },
});
