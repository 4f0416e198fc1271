import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongTestsFirst } from './tests/support/long-tests-first';

const TORTURE_TESTS = ['tests/torture/**/*.test.ts', 'tests/server/event-loop.slow.test.ts'];
const PURE_TESTS = [
  'tests/*.test.ts',
  'tests/{config,history,live/browser,offline,readings,ui}/**/*.test.ts',
];
const BROWSER_TESTS = ['tests/e2e/**/*.test.ts'];
/** These replace modules, which has no effect on modules that another file of the process has loaded. */
const HOOK_TESTS = ['tests/live/**/*.test.tsx'];
/**
 * These change settings that code reads once, count what others would have sent, or leave a line about refused requests for
 * the next second, which would disturb a file that counts lines.
 */
const LONE_TESTS = ['tests/{http,ingest,sources}/**/*.test.ts'];
const SERVER_TESTS = ['tests/{server,torture}/**/*.test.ts'];

/** Both modes together run every file once. */
const SLOW_TESTS = '**/*.slow.test.ts';

/**
 * Seven projects: `pure`, `unit` and `lone` for code without a page, `components` and `hooks` for React in jsdom, `product`
 * for the built server over HTTP, and `browser` for its pages in Chromium.
 *
 * `npm test` leaves out files named `*.slow.test.ts`, and `--mode slow` runs only these. `--mode torture` runs the torture
 * tests at full size (tests/support/size.ts).
 *
 * Most projects don't isolate their files, which would take each of them a process and the loading of all that it imports.
 */
export default defineConfig(({ mode }) => {
  const isSlow = mode === 'slow';
  const testsOf = (include: string[], ...exclude: string[]) =>
    isSlow
      ? { include: include.map((glob) => glob.replace('*.test.', '*.slow.test.')), exclude }
      : { include, exclude: [...exclude, SLOW_TESTS] };
  return {
    test: {
      // libsql's native addon can't be loaded into worker threads.
      pool: 'forks',
      globalSetup: 'tests/support/own-temporary-folder.ts',
      // Many tests wait for timeouts, so four files at a time keep two processors busy, where the default is one; slow
      // tests wait more, so `test:slow` has six. Vitest runs the projects in the order of their names, so that short files come
      // last and no processor waits for a long one.
      maxWorkers: Math.max(4, availableParallelism() - 1),
      sequence: { sequencer: LongTestsFirst },
      // Keeps transformed files in node_modules, where the other projects and later runs find them.
      experimental: { fsModuleCache: true },
      // On a busy machine the default of 5 s would fail tests that are only slow. `until` gives up sooner, and says at what.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      projects: [
        {
          extends: true,
          test: { name: 'pure', ...testsOf(PURE_TESTS), isolate: false },
        },
        {
          extends: true,
          test: {
            name: 'unit',
            ...testsOf(
              ['tests/**/*.test.ts'],
              ...PURE_TESTS,
              ...LONE_TESTS,
              ...SERVER_TESTS,
              ...BROWSER_TESTS,
              'tests/supabase/**',
            ),
            isolate: false,
          },
        },
        {
          extends: true,
          test: { name: 'lone', ...testsOf(LONE_TESTS) },
        },
        {
          extends: true,
          test: {
            name: 'hooks',
            ...testsOf(HOOK_TESTS),
            environment: 'jsdom',
            setupFiles: 'tests/support/components.ts',
          },
        },
        {
          extends: true,
          test: {
            name: 'components',
            ...testsOf(['tests/**/*.test.tsx'], ...HOOK_TESTS),
            environment: 'jsdom',
            // After each test, the setup file undoes what it changed.
            isolate: false,
            setupFiles: 'tests/support/components.ts',
          },
        },
        {
          extends: true,
          mode,
          test: {
            name: 'product',
            ...(mode === 'torture' ? { include: TORTURE_TESTS } : testsOf(SERVER_TESTS)),
            isolate: false,
            globalSetup: 'tests/support/server/prepare-product.ts',
            setupFiles: 'tests/support/server/steady-fetch.ts',
            testTimeout: mode === 'torture' ? 900_000 : 60_000,
          },
        },
        {
          extends: true,
          test: {
            name: 'browser',
            ...testsOf(BROWSER_TESTS),
            globalSetup: ['tests/support/server/prepare-product.ts', 'tests/support/browser/chromium.ts'],
            setupFiles: 'tests/support/server/steady-fetch.ts',
            runner: 'tests/support/browser/browser-runner.ts',
            // Files share a Chromium (tests/support/browser/chromium.ts).
            isolate: false,
          },
        },
      ],
    },
  };
});
