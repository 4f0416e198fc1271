import { useLocation } from '@remix-run/react';

/** The pages that can be shown on a wall: `/?wall`, `/chart?range=1HR&wall`. */
const WALL_PAGES = ['/', '/chart'];

/** Returns whether the page at this path can be shown on a wall. */
export function hasWall(pathname: string): boolean {
  return WALL_PAGES.includes(pathname.toLowerCase());
}

/** Returns whether this is the address of a page on a wall. */
export function isWallAddress({ pathname, search }: { pathname: string; search: string }): boolean {
  return hasWall(pathname) && new URLSearchParams(search).has('wall');
}

/** Returns whether the page is shown on a wall: for reading from across the room, without any controls. */
export function useIsWall(): boolean {
  return isWallAddress(useLocation());
}

/** Adds `wall` to a query such as `?range=1HR`. */
export function withWall(search: string): string {
  return `${search ? `${search}&` : '?'}wall`;
}

/** Removes `wall` from a query. */
export function withoutWall(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('wall');
  return query.size > 0 ? `?${query}` : '';
}
