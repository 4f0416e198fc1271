import { expect, test } from 'vitest';
import { BROWSER_PACKAGES } from '../../../scripts/build/vite-plugins.js';
import { moduleName, readSources } from '../../support/sources';

/** `@remix-run/node` is imported for its types only, and `vite.config.ts` excludes server-only packages. */
const NOT_BUNDLED = ['@remix-run/node', 'libsql', 'libsql/promise', 'mqtt', 'nodemailer'];

test('development bundles every package that pages import at its start, including those of loaders', () => {
  const sources = new Map(readSources().map((source) => [moduleName(source.path), source]));
  const reached = new Set([...sources.keys()].filter((name) => /^(root|entry\.client)$/.test(name)));
  for (const { path } of sources.values()) if (/^routes\/.*\.tsx$/.test(path)) reached.add(moduleName(path));
  for (const name of reached) for (const imported of sources.get(name)?.imports ?? []) reached.add(imported);
  const packages = new Set([...reached].flatMap((name) => sources.get(name)?.packages ?? []));
  const known = [...BROWSER_PACKAGES, ...NOT_BUNDLED];
  expect([...packages].filter((name) => !name.startsWith('node:') && !known.includes(name))).toEqual([]);
  expect([...packages]).toContain('chart.js');
});
