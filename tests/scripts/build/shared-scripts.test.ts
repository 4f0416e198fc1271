import { expect, test } from 'vitest';
import { sharedScript } from '../../../scripts/build/shared-scripts.js';

/** The static imports of each module of a small app. */
const IMPORTS: Record<string, string[]> = {
  '/app/root.tsx': ['/app/ui/header-bar.tsx'],
  '/app/routes/_index.tsx': ['/app/ui/chart/live-chart.tsx', '/app/ui/card.tsx', '/app/ui/tile.tsx'],
  '/app/routes/history.tsx': [
    '/app/ui/history/load/draw-first-history.ts',
    '/app/ui/chart/tooltip.tsx',
    '/app/ui/card.tsx',
  ],
  '/app/routes/postdata.tsx': ['/app/ui/card.tsx', '/app/readings/metric.ts'],
  '/app/ui/chart/live-chart.tsx': ['/app/ui/chart/first/first-readings.ts', '/app/ui/chart/tooltip.tsx'],
  '/app/ui/chart/first/first-readings.ts': ['/node_modules/chart.js', '/app/readings/metric.ts'],
  '/app/ui/history/load/draw-first-history.ts': [
    '/app/ui/history/load/ask-first-history.ts',
    '/app/ui/chart/time-axis.ts',
    '/node_modules/chart.js',
  ],
  '/app/ui/history/load/ask-first-history.ts': ['/app/readings/history-span.ts'],
};

/** Returns the script that the build puts a module of the small app into. */
function scriptOf(id: string) {
  const ids = new Set([...Object.keys(IMPORTS), ...Object.values(IMPORTS).flat()]);
  const getModuleInfo = (module: string) => ({
    isEntry: /^\/app\/(root\.|routes\/)/.test(module),
    importedIds: IMPORTS[module] ?? [],
    importers: Object.keys(IMPORTS).filter((importer) => IMPORTS[importer]?.includes(module)),
  });
  const meta = { getModuleIds: () => ids.values(), getModuleInfo };
  return sharedScript(id, meta as unknown as Parameters<typeof sharedScript>[1]);
}

test('modules that pages with a chart share are in one script', () => {
  expect(scriptOf('/app/ui/chart/tooltip.tsx')).toBe('chart-pages');
});

test('modules that a page without a chart shares are in the script of every page', () => {
  expect(scriptOf('/app/ui/card.tsx')).toBe('every-page');
});

test('what runs before React is scripts of their own, with all that they import', () => {
  expect(scriptOf('/app/ui/history/load/ask-first-history.ts')).toBe('first-history');
  expect(scriptOf('/app/readings/history-span.ts')).toBe('first-history');
  expect(scriptOf('/app/ui/chart/first/first-readings.ts')).toBe('first-chart');
  expect(scriptOf('/app/ui/history/load/draw-first-history.ts')).toBe('first-span');
  expect(scriptOf('/app/ui/chart/time-axis.ts')).toBe('first-span');
});

test('what several of these import is in the first of them, and apart if pages without them need it', () => {
  expect(scriptOf('/node_modules/chart.js')).toBe('first-chart');
  expect(scriptOf('/app/readings/metric.ts')).toBe('first-shared');
});

test('so is the layout of every page, with all that it imports', () => {
  expect(scriptOf('/app/root.tsx')).toBe('every-page');
  expect(scriptOf('/app/ui/header-bar.tsx')).toBe('every-page');
});

test('modules of one page stay with it', () => {
  expect(scriptOf('/app/ui/tile.tsx')).toBeUndefined();
  expect(scriptOf('/app/routes/postdata.tsx')).toBeUndefined();
});
