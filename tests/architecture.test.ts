import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, moduleName, readSources, type Source } from './support/sources';

const sources = readSources();

/** Which folders a folder may import from, besides itself. Types count like code. */
const ARROWS: Record<string, string[]> = {
  routes: ['components', 'live', 'store', 'http', 'readings'],
  components: ['readings'],
  live: ['readings'],
  store: ['readings'],
  http: ['readings'],
  readings: [],
};

/** At the top, for the server's half of every folder: its settings, and what exists once a process. */
const FOUNDATION = ['env.server', 'supabase-settings.server', 'singleton.server'];

const isServer = ({ path }: Source) => /\.server\./.test(path);

/** Files that break a rule, so that a failure names them. */
const offenders = (isOffence: (source: Source) => boolean) =>
  sources.filter(isOffence).map(({ path }) => path);

test('every folder of the application has its arrows', () => {
  const layers = new Set(sources.map(({ layer }) => layer).filter(Boolean));
  expect([...layers].sort()).toEqual(Object.keys(ARROWS).sort());
});

test.each(Object.entries(ARROWS))('%s imports from %j alone', (layer, allowed) => {
  const broken = sources
    .filter((source) => source.layer === layer)
    .flatMap((source) =>
      source.imports
        .filter((imported) => {
          if (FOUNDATION.includes(imported)) return layer === 'readings' || !isServer(source);
          return ![layer, ...allowed].includes(imported.split('/')[0] as string);
        })
        .map((imported) => `${source.path} -> ${imported}`),
    );
  expect(broken).toEqual([]);
});

test('routes never import routes', () => {
  expect(
    offenders(
      ({ layer, imports }) => layer === 'routes' && imports.some((path) => path.startsWith('routes/')),
    ),
  ).toEqual([]);
});

test('every import leads to a file that is there', () => {
  const modules = new Set(sources.map(({ path }) => moduleName(path)));
  const missing = sources.flatMap(({ imports }) =>
    imports.filter((path) => !modules.has(path) && !path.includes('.css')),
  );
  expect(missing).toEqual([]);
});

test('what runs in a browser imports nothing of the server; routes alone, the root among them, have both halves', () => {
  const hasBothHalves = (source: Source) =>
    source.layer === 'routes' || ['root.tsx', 'entry.server.tsx'].includes(source.path);
  const broken = offenders(
    (source) =>
      !isServer(source) && !hasBothHalves(source) && source.imports.some((path) => path.endsWith('.server')),
  );
  expect(broken).toEqual([]);
});

test('the domain knows neither React nor Remix, neither Node nor the DOM', () => {
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
  expect(offenders((source) => inDomain(source) && source.packages.some((name) => name !== 'zod'))).toEqual(
    [],
  );
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

test('only the chart’s components know Chart.js', () => {
  const CHART = ['chart.js', 'react-chartjs-2', 'chartjs-plugin-zoom', 'hammerjs'];
  const isChart = ({ layer, path }: Source) => layer === 'components' && /chart|zoom/.test(path);
  expect(
    offenders((source) => !isChart(source) && CHART.some((name) => source.packages.includes(name))),
  ).toEqual([]);
});

test('settings are read in one place', () => {
  expect(offenders(({ path, names }) => path !== 'env.server.ts' && names.has('process.env'))).toEqual([]);
});

test('no file of the application is longer than 200 lines', () => {
  expect(offenders(({ lines }) => lines > 200)).toEqual([]);
});

test('files are named for what they are, in kebab-case', () => {
  const files = ['app', 'scripts', 'tests'].flatMap(filesBelow);
  const nothing = files.filter((path) =>
    path.split(/[/.-]/).some((word) => /^(utils?|helpers?|misc|common)$/.test(word)),
  );
  expect(nothing).toEqual([]);
  expect(files.filter((path) => !/^_?[a-z0-9]+([-.][a-z0-9]+)*$/.test(basename(path)))).toEqual([]);
});
