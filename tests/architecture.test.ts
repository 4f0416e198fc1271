import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, moduleName, readSources, type Source } from './support/sources';

const sources = readSources();

/** The folders that each folder may import from, besides itself. Type imports count. */
const ARROWS: Record<string, string[]> = {
  routes: ['ui', 'live', 'store', 'ingest', 'http', 'readings', 'config'],
  ui: ['live/browser', 'live/initial-readings', 'readings'],
  live: ['store/reading-store', 'store/supabase/reading-row', 'readings', 'config'],
  ingest: ['readings', 'config'],
  store: ['readings', 'config'],
  http: ['readings', 'config'],
  readings: [],
  config: [],
};

/** The files at the top of `app/`, which put the rest together. */
const TOP = ['boot.server.ts', 'entry.client.tsx', 'entry.server.tsx', 'root.tsx'];

/** Files whose code runs on the server and in the browser; the bundler removes the server's half. */
const hasBothHalves = ({ layer, path }: Source) => layer === 'routes' || path === 'root.tsx';

const isServer = ({ path }: Source) => /\.server\./.test(path);

/** Returns the paths of the files that break a rule, so that a failure names them. */
const offenders = (isOffence: (source: Source) => boolean) =>
  sources.filter(isOffence).map(({ path }) => path);

const isBelow = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`);

test('every folder of the application has its arrows, and nothing else lies at the top', () => {
  const layers = new Set(sources.map(({ layer }) => layer).filter(Boolean));
  expect([...layers].sort()).toEqual(Object.keys(ARROWS).sort());
  expect(
    sources
      .filter(({ layer }) => !layer)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(TOP);
});

test.each(Object.entries(ARROWS))('%s imports only from itself and %j', (layer, allowed) => {
  const isAllowed = [layer, ...allowed].map(isBelow);
  const broken = sources
    .filter((source) => source.layer === layer)
    .flatMap(({ path, imports }) =>
      imports
        .filter((imported) => !isAllowed.some((allows) => allows(imported)))
        .map((imported) => `${path} -> ${imported}`),
    );
  expect(broken).toEqual([]);
});

test('no folder and no file imports itself in a circle, types included', () => {
  const files = new Map(sources.map(({ path, imports }) => [moduleName(path), imports]));
  expect(circlesIn(files)).toEqual([]);
  const folders = new Map<string, string[]>();
  for (const { path, imports } of sources) {
    const folder = folderOf(path);
    const others = imports.map(folderOf).filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  expect(circlesIn(folders)).toEqual([]);
});

/** Returns the top folder of a path, or the file itself at the top of `app/`. */
const folderOf = (path: string) => (path.includes('/') ? (path.split('/')[0] as string) : moduleName(path));

/** Returns one path for each circle, such as `a -> b -> a`. */
function circlesIn(graph: Map<string, string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): void => {
    if (trail.includes(node)) circles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '));
    if (trail.includes(node) || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

test('nothing imports a route, and only boot, which hands them to the guard, imports resource routes', () => {
  expect(
    offenders(({ path, imports }) => path !== 'boot.server.ts' && imports.some(isBelow('routes'))),
  ).toEqual([]);
});

test('every import leads to an existing file', () => {
  const modules = new Set(sources.map(({ path }) => moduleName(path)));
  const missing = sources.flatMap(({ imports }) =>
    imports.filter((path) => !modules.has(path) && !path.includes('.css')),
  );
  expect(missing).toEqual([]);
});

test('browser code imports no server code, except for loaders and actions', () => {
  const isServerModule = (path: string) => /\.server$/.test(path);
  const broken = offenders(
    (source) =>
      !isServer(source) &&
      !hasBothHalves(source) &&
      !['store/reading-store.ts'].includes(source.path) &&
      source.imports.some(isServerModule),
  );
  expect(broken).toEqual([]);
});

test('the domain uses no package and nothing of React, Remix, Node or the DOM', () => {
  const FOREIGN = [
    'window',
    'document',
    'navigator',
    'fetch',
    'process',
    'Buffer',
    'globalThis',
    'localStorage',
  ];
  const inDomain = ({ layer }: Source) => layer === 'readings';
  expect(offenders((source) => inDomain(source) && source.packages.length > 0)).toEqual([]);
  expect(offenders((source) => inDomain(source) && FOREIGN.some((name) => source.names.has(name)))).toEqual(
    [],
  );
});

test('only store/ knows a database', () => {
  const SQL =
    /^\s*(select\b.*\bfrom|insert into|update\b.*\bset|delete from|create (table|index)|pragma|begin|commit)\b/is;
  expect(
    offenders(
      ({ layer, packages, strings }) =>
        layer !== 'store' && (packages.includes('libsql') || strings.some((text) => SQL.test(text))),
    ),
  ).toEqual([]);
});

test('only store/ and live/ know Supabase', () => {
  expect(
    offenders(
      ({ layer, packages }) =>
        !['store', 'live'].includes(layer) && packages.some((name) => name.startsWith('@supabase/')),
    ),
  ).toEqual([]);
});

test('only live/ knows EventSource, shared workers or channels', () => {
  const LIVE = ['EventSource', 'SharedWorker', 'RealtimeClient', 'RealtimeChannel'];
  expect(offenders(({ layer, names }) => layer !== 'live' && LIVE.some((name) => names.has(name)))).toEqual(
    [],
  );
});

test('only ui/chart/ knows Chart.js', () => {
  const CHART = ['chart.js', 'react-chartjs-2', 'chartjs-plugin-zoom', 'hammerjs'];
  expect(
    offenders(
      ({ path, packages }) => !isBelow('ui/chart')(path) && CHART.some((name) => packages.includes(name)),
    ),
  ).toEqual([]);
});

test('only config/ reads the environment', () => {
  expect(offenders(({ layer, names }) => layer !== 'config' && names.has('process.env'))).toEqual([]);
});

test('no file of the application is longer than 200 lines', () => {
  expect(offenders(({ lines }) => lines > 200)).toEqual([]);
});

test('files are named in kebab-case, and none is a drawer', () => {
  const files = ['app', 'scripts', 'tests'].flatMap(filesBelow);
  const drawers = files.filter((path) =>
    path.split(/[/.-]/).some((word) => /^(utils?|helpers?|misc|common)$/.test(word)),
  );
  expect(drawers).toEqual([]);
  expect(files.filter((path) => !/^_?[a-z0-9]+([-.][a-z0-9]+)*$/.test(basename(path)))).toEqual([]);
});
