import type { PageFormat } from './stream-pages.server';

/** A JSON array of the rows. */
export const JSON_FORMAT: PageFormat<unknown> = {
  start: '[',
  separator: ',',
  end: ']',
  encode: (rows) => rows.map((row) => JSON.stringify(row)).join(','),
};
