import { useLocation } from '@remix-run/react';

/** The pages that can be shown on a wall: `/?wall`, `/chart?range=1HR&wall`. */
const WALL_PAGES = ['/', '/chart'];

export function hasWall(pathname: string): boolean {
  return WALL_PAGES.includes(pathname.toLowerCase());
}

export function isWallAddress({ pathname, search }: { pathname: string; search: string }): boolean {
  return hasWall(pathname) && new URLSearchParams(search).has('wall');
}

/** Returns whether the page is shown on a wall: for reading from across the room, without any controls. */
export function useIsWall(): boolean {
  return isWallAddress(useLocation());
}

export function withWall(search: string): string {
  return `${search ? `${search}&` : '?'}wall`;
}

export function withoutWall(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('wall');
  return query.size > 0 ? `?${query}` : '';
}
