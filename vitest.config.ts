import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const TORTURE_TESTS = ['tests/torture/**/*.test.ts'];
const PRODUCT_TESTS = ['tests/e2e/**/*.test.ts', 'tests/server/**/*.test.ts', ...TORTURE_TESTS];

/**
 * Three projects: `unit` for code without a page, `components` for React in jsdom, and `product` for the built
 * server over HTTP and in Chromium. `--mode torture` runs the torture tests at full size (tests/support/size.ts).
 */
export default defineConfig(({ mode }) => ({
  test: {
    // libsql's native addon can't be loaded into worker threads.
    pool: 'forks',
    // Many tests wait for timeouts, so two files at a time pay off even on two cores, where the default is one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // On a busy machine the default of 5 s would fail tests that are only slow.
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
          // Each file starts its own servers and browsers; two at a time fit a small machine.
          maxWorkers: 2,
          // Runs after the other projects, which would slow the browsers.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}));
