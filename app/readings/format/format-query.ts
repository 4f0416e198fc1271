/** Formats a page's query: `?metrics=pm25,temperature`, or nothing if it is empty. Commas and colons stay readable. */
export function formatQuery(query: URLSearchParams): string {
  return query.size > 0 ? `?${query}`.replaceAll('%2C', ',').replaceAll('%3A', ':') : '';
}
