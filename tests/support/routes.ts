import { basename } from 'node:path';
import { filesBelow } from './sources';

/** The addresses of the pages: one for each `.tsx` file of `app/routes`. */
export const PAGE_PATHS = filesBelow('app/routes')
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => `/${basename(file, '.tsx').replace('_index', '')}`);

/** The pages that show readings. */
export const READING_PAGES = PAGE_PATHS.filter((path) => path !== '/notifications');

/** Addresses that a page with readings answers with status 200. */
export const GOOD_PAGES = [
  ...READING_PAGES,
  '/?range=1HR',
  '/chart?range=1HR',
  '/?wall',
  '/chart?range=1HR&wall',
  '/history?span=year&compare=before',
  '/chart?span=day',
  '/chart?span=day&wall',
];

/** Those, and addresses that the error page answers. */
export const PAGES = [...GOOD_PAGES, '/?range=1DAY', '/chart?range=1DAY', '/history?span=decade', '/nowhere'];
