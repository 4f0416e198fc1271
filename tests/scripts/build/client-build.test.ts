import { expect, test } from 'vitest';
import { BROWSER_PACKAGES, sharedScript } from '../../../scripts/build/client-build.js';
import { moduleName, readSources } from '../../support/sources';

/** `@remix-run/node` is imported for its types only; `vite.config.ts` excludes what runs on the server alone. */
const NOT_BUNDLED = ['@remix-run/node', 'libsql', 'libsql/promise', 'mqtt', 'nodemailer'];

/** The static imports of each module of a small app. */
const IMPORTS: Record<string, string[]> = {
  '/app/routes/_index.tsx': ['/app/ui/chart/live-chart.tsx', '/app/ui/card.tsx', '/app/ui/tile.tsx'],
  '/app/routes/history.tsx': ['/app/ui/history.tsx', '/app/ui/card.tsx'],
  '/app/ui/history.tsx': ['/app/ui/chart/live-chart.tsx', '/app/ui/history/load/ask-first-history.ts'],
  '/app/ui/history/load/ask-first-history.ts': ['/app/readings/history-span.ts'],
  '/app/routes/postdata.tsx': ['/app/ui/card.tsx'],
  '/app/ui/chart/live-chart.tsx': ['/node_modules/chart.js'],
};

/** Returns the script that the build puts a module of the small app into. */
function scriptOf(id: string) {
  const ids = new Set([...Object.keys(IMPORTS), ...Object.values(IMPORTS).flat()]);
  const getModuleInfo = (module: string) => ({
    isEntry: module.startsWith('/app/routes/'),
    importedIds: IMPORTS[module] ?? [],
    importers: Object.keys(IMPORTS).filter((importer) => IMPORTS[importer]?.includes(module)),
  });
  const meta = { getModuleIds: () => ids.values(), getModuleInfo };
  return sharedScript(id, meta as unknown as Parameters<typeof sharedScript>[1]);
}

test('modules that pages with a chart share are in one script, however a page imports the chart', () => {
  expect(scriptOf('/app/ui/chart/live-chart.tsx')).toBe('chart-pages');
  expect(scriptOf('/node_modules/chart.js')).toBe('chart-pages');
});

test('modules that a page without a chart shares are in the script of every page', () => {
  expect(scriptOf('/app/ui/card.tsx')).toBe('every-page');
});

test('what asks for the first history is a script of its own, with all that it imports', () => {
  expect(scriptOf('/app/ui/history/load/ask-first-history.ts')).toBe('first-history');
  expect(scriptOf('/app/readings/history-span.ts')).toBe('first-history');
});

test('modules of one page stay with it', () => {
  expect(scriptOf('/app/ui/tile.tsx')).toBeUndefined();
  expect(scriptOf('/app/routes/postdata.tsx')).toBeUndefined();
});

test('development bundles at its start every package that pages import, loaders included', () => {
  const sources = new Map(readSources().map((source) => [moduleName(source.path), source]));
  const reached = new Set([...sources.keys()].filter((name) => /^(root|entry\.client)$/.test(name)));
  for (const { path } of sources.values()) if (/^routes\/.*\.tsx$/.test(path)) reached.add(moduleName(path));
  for (const name of reached) for (const imported of sources.get(name)?.imports ?? []) reached.add(imported);
  const packages = new Set([...reached].flatMap((name) => sources.get(name)?.packages ?? []));
  const known = [...BROWSER_PACKAGES, ...NOT_BUNDLED];
  expect([...packages].filter((name) => !name.startsWith('node:') && !known.includes(name))).toEqual([]);
  expect([...packages]).toContain('chart.js');
});
