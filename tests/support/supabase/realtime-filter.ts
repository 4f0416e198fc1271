import type { Row } from './postgrest-rows';

/**
 * Parses the `filter` of a subscription as Realtime does: `sensor=eq.NAME`, negated by `not.`, several joined by commas.
 * A value in double quotes may contain commas.
 *
 * @throws an error with Realtime's message if it isn't a filter. The double knows only the column `sensor` and `eq`
 */
export function parseFilter(filter = ''): (row: Row) => boolean {
  if (filter.trim() === '') return () => true;
  // A quote begins a quoted value after a dot, a comma or a parenthesis only.
  const segments = filter.trim().match(/(?:(?<=[.,(])"(?:\\.|[^"\\])*"|[^,])*(?:,|$)/gs) ?? [];
  const conditions = segments
    .filter((segment) => segment !== '')
    .map((segment) => parseSegment(segment.replace(/,$/, '').trim()));
  return (row) => conditions.every((matches) => matches(row));
}

function parseSegment(segment: string): (row: Row) => boolean {
  const [, column, not, operator, text = ''] = /^(\w+)=(not\.)?(\w+)\.(.*)$/s.exec(segment) ?? [];
  if (operator !== 'eq') throw new Error(`Error parsing \`filter\` params: ${segment}`);
  if (column !== 'sensor') throw new Error(`invalid column for filter ${column}`);
  const value = /^"(?:\\.|[^"\\])*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
  return ({ sensor }) => (sensor === value) !== Boolean(not);
}
