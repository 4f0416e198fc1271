import { parseSpan, SPAN_PARAMETERS } from '../readings/time/span-address';

/**
 * Returns true if a page's address names a span. The page itself knows what it covers in the viewer's time zone.
 *
 * @throws a 400 response for the error page if the address has a wrong one
 */
export function hasSpanQuery(request: Request): boolean {
  const query = new URL(request.url).searchParams;
  const isAsked = SPAN_PARAMETERS.some((name) => query.has(name));
  try {
    if (isAsked) parseSpan(query);
  } catch (error) {
    throw new Response((error as Error).message, { status: 400, statusText: 'Unknown span' });
  }
  if (isAsked && query.has('range')) {
    const detail = 'The address has both a range and a span. Leave one of them out.';
    throw new Response(detail, { status: 400, statusText: 'Unknown span' });
  }
  return isAsked;
}
