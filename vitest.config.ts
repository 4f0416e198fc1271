import { defineConfig } from 'vitest/config';

const TORTURE_TESTS = ['tests/torture/**/*.test.ts'];
const PRODUCT_TESTS = ['tests/e2e/**/*.test.ts', 'tests/server/**/*.test.ts', ...TORTURE_TESTS];

/**
 * Three kinds of test: pure code, components in a simulated page, and the built product over HTTP and in
 * Chromium. `--mode torture` runs the torture tests alone, at full size: tests/support/size.ts.
 */
export default defineConfig(({ mode }) => ({
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
          exclude: [...PRODUCT_TESTS, 'tests/supabase/**'],
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
        mode,
        test: {
          name: 'product',
          include: mode === 'torture' ? TORTURE_TESTS : PRODUCT_TESTS,
          globalSetup: 'tests/support/prepare-product.ts',
          testTimeout: mode === 'torture' ? 900_000 : 60_000,
          // Each file starts servers and browsers of its own; two at a time fit a small machine.
          maxWorkers: 2,
          // After the others: a browser that waits for a processor fails for the wrong reason.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}));
