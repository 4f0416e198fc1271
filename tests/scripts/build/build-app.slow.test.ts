import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { loadConfigFromFile } from 'vite';
import { expect, test } from 'vitest';
import { SOURCES } from '../../../scripts/build/build-app.js';
import { filesBelow, moduleName, readSources } from '../../support/sources';

const isSource = (path: string) =>
  SOURCES.some((source) => path === source || path.startsWith(`${source}/`) || path === moduleName(source));

test('SOURCES names the Vite configuration and every file that it imports', async () => {
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' });
  const files = loaded?.dependencies.map((path) => relative('.', path)) ?? [];
  expect(files).toContain('scripts/build/vite-plugins.js');
  expect(files.filter((path) => !isSource(path))).toEqual([]);
});

test('SOURCES names every file outside app/ that a module of app/ imports', () => {
  const imported = readSources().flatMap(({ imports }) => imports.map((path) => join('app', path)));
  expect(imported.filter((path) => !isSource(path))).toEqual([]);
});

test('SOURCES names every file outside app/ that a stylesheet uses', () => {
  const used = filesBelow('app')
    .filter((path) => path.endsWith('.css'))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^@\w+ ["'](\.[^"']+)/gm)].map(([, used]) =>
        join(dirname(path), used as string),
      ),
    );
  expect(used).toContain('tailwind.config.ts');
  expect(used.filter((path) => !isSource(path))).toEqual([]);
});

test('package.json allows the install scripts of its packages, so npm 11 prints no warning', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const packages = Object.entries<{ hasInstallScript?: boolean; optional?: boolean }>(
    read('package-lock.json').packages,
  );
  const withScripts = packages.filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional);
  const names = withScripts.map(([path]) => path.replace(/.*node_modules\//, ''));
  expect([...new Set(names)]).toEqual(Object.keys(read('package.json').allowScripts));
});
