import { findRange, RANGES, type Range } from '../readings/chart/range';

/**
 * Returns the range that a page's `?range=` names, or null without that parameter.
 *
 * @throws a 400 response for the error page if the name is unknown
 */
export function parseRangeQuery(request: Request): Range | null {
  const name = new URL(request.url).searchParams.get('range');
  if (name === null) return null;
  const range = findRange(name);
  if (range) return range;
  const names = RANGES.map((known) => known.name).join(', ');
  throw new Response(`The chart has no such range. Choose one of these: ${names}.`, {
    status: 400,
    statusText: 'Unknown range',
  });
}
