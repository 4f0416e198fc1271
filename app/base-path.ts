/**
 * The path below which airboard is served. All addresses that this server hands out pass through here, except those of
 * Remix's links, which get it from Remix's `basename` (scripts/serve/server-build.js).
 */

/** Such as `/air`; empty at the root of a host name. A script of the build is in `/air/assets`, in a worker too. */
let base =
  import.meta.env.PROD && !import.meta.env.SSR
    ? new URL(import.meta.url).pathname.replace(/\/assets\/[^/]*$/, '')
    : '';

/** Sets the path on the server, once, at its start. */
export function serveBelow(path: string): void {
  base = path;
}

/** Returns the address of a path that begins with `/`. */
export const atBase = (path: string): string => base + path;

/** Returns the path of an address below the base; other paths as they are. */
export const belowBase = (pathname: string): string =>
  base && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;

/** Returns true for the path of the dashboard, `/air/`, unless airboard is at the root of a host name. */
export const isBase = (pathname: string): boolean => base !== '' && pathname === `${base}/`;

/** The `Path` of cookies. It has no slash at its end, because `/air` alone redirects to `/air/` and needs them too. */
export const cookiePath = (): string => base || '/';
