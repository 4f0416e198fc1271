import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { matchRoutes } from '@remix-run/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, RawClient } from '../../support/server/raw-client';
import { temporaryFolder } from '../../support/server/server';

// Empty values override those of a `.env` file.
Object.assign(process.env, {
  DATABASE_PATH: join(temporaryFolder(), 'readings.db'),
  ...{ ALLOWED_ORIGINS: '', SUPABASE_URL: '' },
});
const { API_ROUTES, PAGES } = await import('../../../app/boot.server');
const { passToRemix, remixAddresses } = await import('../../../app/http/guard/remix-serve.server');
const { createRequestGuard } = await import('../../../app/http/guard/request-guard.server');

const SEED = 20_261_122;

/** The paths of the files in app/routes, by the rules of Remix. */
const ROUTES = readdirSync('app/routes').map(
  (file) =>
    `/${file
      .replace(/\.tsx?$/, '')
      .replaceAll(/(?<!\[)\./g, '/')
      .replace('[.]', '.')
      .replace('_index', '')
      .replace('$monitor', 'airgradient:{serial}')}`,
);
const REMIX_ROUTES = ROUTES.map((path) => ({ id: path, path }));
const FILES = ['/favicon.svg', '/assets/page-1a.js', '/two words.png'];
const remixAddress = remixAddresses(PAGES, FILES);

test('every route is a page or part of the API', () => {
  expect([...PAGES, ...Object.keys(API_ROUTES)].sort()).toEqual(ROUTES.sort());
});

test.each([
  ['/', '', '/'],
  ['/chart', 'range=1HR', '/chart?range=1HR'],
  ['/Chart', '', '/chart'],
  ['/_root.data', '_routes=root', '/_root.data?_routes=root'],
  ['/postdata.data', '', '/postdata.data'],
  ['/postdata.DATA', '', null],
  ['/assets/page-1a.js', 'v=1', '/assets/page-1a.js?v=1'],
  ['/two words.png', '', '/two%20words.png'],
  ['/assets', '', null],
  ['/assets/page-1a.js/', '', null],
  ['/Assets/page-1a.js', '', null],
  ['/nothing', 'range=1HR', null],
  ['/a/b/c', '', null],
  ['/__manifest', 'p=/chart&p=/a/b&p=/&version=1', '/__manifest?p=%2Fchart&p=%2F&version=1'],
  ['/__manifest', 'p=/a/a/a/a&version=1', '/__manifest?p=%2F&version=1'],
])('passes %s?%s to Remix as %s', (path, query, address) => {
  expect(remixAddress(path, new URLSearchParams(query))).toBe(address);
});

const names = [...ROUTES, ...FILES, '/__manifest', '/_root', '/assets'].map((path) => path.slice(1));
/** Spellings that only some parsers treat as the same text. */
const spellings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replace('a', '%61'),
  (text) => text.replace('a', '%2561'),
  (text) => text.replaceAll('/', '%2F'),
  (text) => text.replaceAll('/', '%2f'),
  (text) => text.replaceAll('/', '//'),
  (text) => text.replaceAll('/', '\\'),
  (text) => text.replaceAll('/', '/./'),
  (text) => `${text}.data`,
  (text) => `${text};a=b`,
  (text) => `x/../${text}`,
  (text) => `x/%2e%2E/${text}`,
];
const ends = [
  '',
  '',
  '',
  '/',
  '//',
  '\\',
  '%5C',
  '%2F',
  '/.',
  '/..',
  '%00',
  '%20',
  '%ff',
  '#',
  '?',
  '?/',
  '?a#b',
];
const targets = fc
  .tuple(
    fc.constantFrom('/', '/', '/', '//', '/\\', '/./', '/%2F', '\\', 'http://board/'),
    fc.constantFrom(...names),
    fc.array(fc.constantFrom(...spellings), { minLength: 1, maxLength: 2 }),
    fc.array(fc.constantFrom(...ends), { minLength: 1, maxLength: 2 }),
  )
  .map(([start, name, spell, end]) =>
    (start + spell.reduce((text, spelling) => spelling(text), name) + end.join('')).replaceAll(' ', '%20'),
  );

/**
 * Returns the route that remix-serve would find for an address: it removes `.data`, and then Remix's matcher decodes
 * letters. The guard's addresses have no encoded letters.
 */
function matchedRoute(address: string): string | null {
  const { pathname } = new URL(address.replaceAll('%61', 'a'), 'http://board');
  const path = pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/');
  return matchRoutes(REMIX_ROUTES, path)?.at(-1)?.route.id ?? null;
}

test(`the guard and Remix's matcher agree about every address, and Remix gets only known ones (seed ${SEED})`, async () => {
  const routes = Object.fromEntries(
    Object.keys(API_ROUTES).map((path) => [path, { loader: () => answer('api', path) }]),
  );
  const guard = createRequestGuard(routes, { passOn: passToRemix(remixAddress) });
  const server = createServer((request, response) => {
    guard(request, response, () => response.end(JSON.stringify({ by: 'remix', address: request.url })));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new RawClient((server.address() as AddressInfo).port);

  const known = ['/not-found', '/__manifest', ...FILES.map(encodeURI)];
  const seen = { api: 0, page: 0, file: 0, refused: 0 };
  const check = ({ status, body }: Answer, target: string) => {
    if (status !== 200) {
      expect([400, 404]).toContain(status);
      return 'refused';
    }
    const { by, address } = JSON.parse(body);
    const route = matchedRoute(address);
    if (by === 'remix' && !PAGES.includes(route ?? '')) {
      expect(known).toContain(address.split('?')[0]);
      return 'file';
    }
    expect(matchedRoute(target)).toBe(route);
    return by === 'api' ? 'api' : 'page';
  };
  const property = fc.asyncProperty(targets, async (target) => {
    const sent = await client.send(`GET ${target} HTTP/1.1\r\nHost: board\r\n\r\n`);
    seen[check(sent as Answer, target)] += 1;
  });
  await fc.assert(property, { seed: SEED, numRuns: 1500, examples: [['/_root.d%61ta'], ['/ch%61rt.data']] });
  client.close();
  server.close();
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});

const answer = (by: string, address: string) => ({ headers: {}, body: JSON.stringify({ by, address }) });
