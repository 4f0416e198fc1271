import { useLocation } from '@remix-run/react';
import { formatQuery } from '../../readings/format/format-query';

/** The pages with a wall layout: `/?wall`, `/chart?range=1HR&wall`, `/rooms?wall&group=School`. */
const WALL_PAGES = ['/', '/chart', '/rooms'];

export function hasWall(pathname: string): boolean {
  return WALL_PAGES.includes(pathname.toLowerCase());
}

export function isWallAddress({ pathname, search }: { pathname: string; search: string }): boolean {
  return hasWall(pathname) && new URLSearchParams(search).has('wall');
}

/** Returns true if the page uses the wall layout, which is readable from across a room and has no controls. */
export function useIsWall(): boolean {
  return isWallAddress(useLocation());
}

export function withWall(search: string): string {
  return `${search ? `${search}&` : '?'}wall`;
}

export function withoutWall(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('wall');
  return formatQuery(query);
}
