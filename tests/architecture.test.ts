import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, moduleName, readSources, type Source } from './support/sources';

const sources = readSources();

/** The folders and files that each one may import from, besides itself. Type imports count. */
const ARROWS: Record<string, string[]> = {
  routes: [
    'base-path',
    'access',
    'ui',
    'live',
    'store',
    'ingest',
    'alerts',
    'providers',
    'history',
    'room',
    'http',
    'metrics',
    'openapi',
    'readings',
    'config',
    'root',
  ],
  ui: ['base-path', 'live/browser', 'live/initial-readings', 'offline/stored-page', 'readings'],
  // A page stored by the service worker isn't live, and reloads itself.
  'live/browser': [
    'base-path',
    'live/initial-readings',
    'offline/stored-page',
    'store/supabase/reading-row',
    'readings',
  ],
  'live/server': [
    'http/answer',
    'live/browser/live-feed',
    'live/initial-readings',
    'store/reading-store',
    'readings',
    'config',
  ],
  'live/initial-readings': ['readings'],
  // The page that asks for the `READ_KEY`.
  access: ['base-path', 'ui', 'http', 'tailwind.css?url'],
  offline: [],
  alerts: ['providers', 'store/reading-store', 'store/alert-store', 'readings', 'config'],
  // `NOTIFY_URLS` is parsed at the start, so the settings know the providers.
  providers: ['readings'],
  // A conflict shows stored values only to senders that may read.
  ingest: [
    'http/answer',
    'http/guard/read-access.server',
    'http/keys.server',
    'store/reading-store',
    'store/deletion-store',
    'metrics/counts.server',
    'readings',
    'config',
  ],
  // `spanRoute` is the handler of every question about a span.
  history: ['http', 'store/open-store.server', 'store/reading-store', 'readings', 'config'],
  // Rooms read roll-ups through the history's `read-steps`. The list of rooms shows what notifications know of each sensor.
  room: [
    'alerts/start-alerts.server',
    'history/read-steps.server',
    'store/open-store.server',
    'store/reading-store',
    'store/room-store',
    'readings',
    'config',
  ],
  sources: [
    'ingest',
    'http/answer',
    'http/guard/refusal-log.server',
    'store/reading-store',
    'readings',
    'config',
  ],
  // Announces what rooms and notifications judge, by the connection code of MQTT readings.
  'home-assistant': [
    'alerts/start-alerts.server',
    'room/background-rounds.server',
    'room/rooms-now.server',
    'sources',
    'store/open-store.server',
    'store/reading-store',
    'readings',
    'config',
  ],
  store: ['metrics/counts.server', 'readings', 'config'],
  // A request, its answer and a refusal. Without these arrows, ingest and live would have separate types for the same
  // things.
  'http/answer': ['store/reading-store', 'readings'],
  http: ['base-path', 'metrics/counts.server', 'store/reading-store', 'readings', 'config'],
  metrics: ['readings', 'config'],
  // The body of a webhook has the type `AlertEvent`.
  openapi: [
    'base-path',
    'providers/alert-event',
    'ui',
    'ingest',
    'history',
    'http',
    'store/reading-store',
    'store/deletion-store',
    // The maximum number of notes in an answer.
    'store/note-store',
    'readings',
    'config',
    'tailwind.css?url',
  ],
  readings: [],
  // The thresholds in the metric table are settings. Others name a time zone, or a metric, its unit and a sensor.
  config: [
    '../package.json',
    'providers',
    'readings/metric',
    'readings/metric-names',
    'readings/metric-units',
    'readings/level/level',
    'readings/room/physics',
    'readings/sensor-name',
    'readings/time/local-time',
  ],
};

/** The files at the top of `app/`, which put the rest together. */
const TOP = [
  'base-path.ts',
  'boot.server.ts',
  'entry.client.tsx',
  'entry.server.tsx',
  'missing-functions.ts',
  'root.tsx',
];

/** Returns whether the bundler removes a file's server half (loader and action) for the browser. */
const hasBothHalves = ({ folder, path }: Source) => folder === 'routes' || path === 'root.tsx';

const isServer = ({ path }: Source) => /\.server\./.test(path);

/** Returns the paths of the files that break a rule, so that a failure names them. */
const offenders = (isOffence: (source: Source) => boolean) =>
  sources.filter(isOffence).map(({ path }) => path);

const isBelow = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`);

test('every file is at the top or in a folder with arrows', () => {
  const isBelowAny = Object.keys(ARROWS).map(isBelow);
  expect(offenders(({ path }) => !isBelowAny.some((isBelow) => isBelow(moduleName(path))))).toEqual(TOP);
});

test.each(Object.entries(ARROWS))('%s imports only from itself and %j', (from, allowed) => {
  const isAllowed = [from, ...allowed].map(isBelow);
  const importers = sources.filter(({ path }) => isBelow(from)(moduleName(path)));
  expect(importers).not.toEqual([]);
  const broken = importers.flatMap(({ path, imports }) =>
    imports
      .filter((imported) => !isAllowed.some((allows) => allows(imported)))
      .map((imported) => `${path} -> ${imported}`),
  );
  expect(broken).toEqual([]);
});

test('no folder and no file imports itself in a circle, types included', () => {
  const files = new Map(sources.map(({ path, imports }) => [moduleName(path), imports]));
  expect(circlesIn(files)).toEqual([]);
  expect(circlesIn(foldersOf(sources, topFolder))).toEqual([]);
});

/**
 * The folders of the embedded store. Each imports only from earlier ones, the interface of the store and the domain.
 */
const SQLITE = ['schema', 'file', 'reads', 'roll-ups', 'inserts', 'alerts'].map(
  (part) => `store/sqlite/${part}`,
);

test.each(SQLITE.map((folder, i) => ({ folder, before: SQLITE.slice(0, i) })))(
  '$folder imports only from $before',
  ({ folder, before }) => {
    const isOfRest = isBelow('store/sqlite');
    const isAllowed = [folder, ...before].map(isBelow);
    const broken = sources
      .filter(({ path }) => isBelow(folder)(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter((imported) => isOfRest(imported) && !isAllowed.some((allows) => allows(imported)))
          .map((imported) => `${path} -> ${imported}`),
      );
    expect(broken).toEqual([]);
  },
);

test('no folders within a folder import each other in a circle', () => {
  const folders = [...foldersOf(sources, dirname)].map(([folder, others]): [string, string[]] => [
    folder,
    // Ignores parents and subfolders, because a folder contains its subfolders' shared code and combines them. The same
    // goes for `app/`.
    others.filter((other) => other !== '.' && !isBelow(folder)(other) && !isBelow(other)(folder)),
  ]);
  expect(circlesIn(new Map(folders))).toEqual([]);
});

/** Returns the folders that each folder imports from, besides itself. */
function foldersOf(sources: Source[], folderOf: (path: string) => string): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const { path, imports } of sources) {
    const folder = folderOf(path);
    const others = imports.map(folderOf).filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  return folders;
}

/** Returns the top folder of a path, or the file itself at the top of `app/`. */
const topFolder = (path: string) => (path.includes('/') ? (path.split('/')[0] as string) : moduleName(path));

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

test('only boot imports routes: every resource route, which it passes to the request guard', () => {
  const isBoot = ({ path }: Source) => path === 'boot.server.ts';
  expect(offenders((source) => !isBoot(source) && source.imports.some(isBelow('routes')))).toEqual([]);
  // Pages are .tsx. The request guard answers 404 for a resource route that boot doesn't pass on.
  const resourceRoutes = sources
    .filter(({ path }) => /^routes\/.*\.ts$/.test(path))
    .map(({ path }) => moduleName(path));
  expect(sources.find(isBoot)?.imports.filter(isBelow('routes')).sort()).toEqual(resourceRoutes.sort());
});

test('every import leads to an existing file', () => {
  const modules = new Set(sources.map(({ path }) => moduleName(path)));
  const missing = sources.flatMap(({ imports }) =>
    imports.filter((path) => !modules.has(path) && !/\.(css|json)\b/.test(path)),
  );
  expect(missing).toEqual([]);
});

test('browser code imports no server code, except in loaders and actions', () => {
  const isServerModule = (path: string) => /\.server$/.test(path);
  const broken = offenders(
    (source) => !isServer(source) && !hasBothHalves(source) && source.imports.some(isServerModule),
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
  const inDomain = ({ folder }: Source) => folder === 'readings';
  expect(offenders((source) => inDomain(source) && isServer(source))).toEqual([]);
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
      ({ folder, packages, strings }) =>
        folder !== 'store' && (packages.includes('libsql') || strings.some((text) => SQL.test(text))),
    ),
  ).toEqual([]);
});

test('only store/ and live/ know Supabase', () => {
  expect(
    offenders(
      ({ folder, packages }) =>
        !['store', 'live'].includes(folder) && packages.some((name) => name.startsWith('@supabase/')),
    ),
  ).toEqual([]);
});

test('only live/ knows EventSource, shared workers or channels', () => {
  const LIVE = ['EventSource', 'SharedWorker', 'RealtimeClient', 'RealtimeChannel'];
  expect(offenders(({ folder, names }) => folder !== 'live' && LIVE.some((name) => names.has(name)))).toEqual(
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
  expect(offenders(({ folder, names }) => folder !== 'config' && names.has('process.env'))).toEqual([]);
});

test('files are named in kebab-case, and no name contains utils, helpers, misc or common', () => {
  const files = ['app', 'scripts', 'tests'].flatMap(filesBelow);
  const vague = files.filter((path) =>
    path.split(/[/.-]/).some((word) => /^(utils?|helpers?|misc|common)$/.test(word)),
  );
  expect(vague).toEqual([]);
  // A `$` begins a placeholder in the address of a route.
  expect(files.filter((path) => !/^_?[a-z0-9]+((-|\.\$?|\[\.\])[a-z0-9]+)*$/.test(basename(path)))).toEqual(
    [],
  );
});
