import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The folder that remix-serve serves as `/`; a page's scripts and styles are in `/assets`. */
export const FILES_FOLDER = 'build/client';

/** An address that Remix answers with its 404 page. */
export const NOT_FOUND = '/not-found';

/**
 * Returns the address to hand to remix-serve for the one that was sent, a path as `requestAddress` returns it and
 * a query; null if nothing has that address.
 */
export type RemixAddress = (path: string, query: URLSearchParams) => string | null;

/**
 * Makes the function that decides which addresses reach remix-serve: those of pages, of built files, and those
 * that Remix's own scripts fetch. Remix matches an address of many segments in quadratic time, and Express and
 * Remix each decode a path in their own way.
 *
 * @param pages the paths of all pages
 * @param files the paths of all files
 */
export function remixAddresses(pages: readonly string[], files = builtFiles()): RemixAddress {
  const known = new Set([...files, ...pages.map(dataPath)]);
  return (path, query) => {
    if (path === '/__manifest') return `${path}?${manifestQuery(query, pages)}`;
    // Remix ignores case, as do people who type an address on a phone.
    const page = pages.find((page) => page === path.toLowerCase());
    if (!page && !known.has(path)) return null;
    return encodeURI(page ?? path) + (query.size > 0 ? `?${query}` : '');
  };
}

/** Returns the path from which a page's script fetches its data. */
function dataPath(page: string): string {
  return page === '/' ? '/_root.data' : `${page}.data`;
}

function builtFiles(): string[] {
  const entries = readdirSync(FILES_FOLDER, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => `/${relative(FILES_FOLDER, join(parentPath, name))}`);
}

/**
 * Returns the query of a request for the routes of some paths. Unknown paths have none, and the ones of `/` are
 * known to every page: Remix's script takes an error for a broken page.
 */
function manifestQuery(query: URLSearchParams, pages: readonly string[]): URLSearchParams {
  const asked = query.getAll('p').filter((path) => pages.includes(path));
  return new URLSearchParams([
    ...(asked.length > 0 ? asked : ['/']).map((path) => ['p', path]),
    ['version', query.get('version') ?? ''],
  ]);
}
