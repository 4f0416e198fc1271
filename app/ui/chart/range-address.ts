/** Returns the query of a page for another range, or for the default one with null; the other parameters stay. */
export function withRange(search: string, range: string | null): string {
  const query = new URLSearchParams(search);
  if (range === null) query.delete('range');
  else query.set('range', range);
  return query.size > 0 ? `?${query}` : '';
}
