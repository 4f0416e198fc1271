import { defineConfig } from 'vitest/config';

/** Three kinds of test: pure code, components in a simulated page, and the built product over HTTP and in Chromium. */
export default defineConfig({
  test: {
    // libsql is native: its addon can't be loaded into worker threads.
    pool: 'forks',
    // No test is about time: on a machine with other work the default of 5 s fails for the wrong reason.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/e2e/**', 'tests/server/**', 'tests/supabase/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['tests/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: 'tests/support/components.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: ['tests/e2e/**/*.test.ts', 'tests/server/**/*.test.ts'],
          globalSetup: 'tests/support/prepare-product.ts',
          // Each file starts servers and browsers of its own; two at a time fit a small machine.
          maxWorkers: 2,
          // After the others: a browser that waits for a processor fails for the wrong reason.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
