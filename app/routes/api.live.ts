import type { LoaderFunctionArgs } from '@remix-run/node';
import { currentClient } from '../http/front-door.server';
import { problem } from '../http/problem.server';
import { parseReadingQuery } from '../http/reading-query.server';
import { openInsertStream } from '../live/insert-streams.server';
import { getStore } from '../store/store.server';

/** GET /api/live: inserts as server-sent events, first what was missed since `Last-Event-ID` or `after`. */
export function loader({ request }: LoaderFunctionArgs): Response {
  const parameters = new URL(request.url).searchParams;
  // A browser that comes back sends the id; the address it comes back to is still the one of its first visit.
  const lastEventId = request.headers.get('Last-Event-ID');
  if (lastEventId) parameters.set('after', lastEventId);
  const query = parseReadingQuery(parameters);
  if (!query.ok) return problem({ status: 400, detail: 'The query is wrong.', errors: query.errors });
  if (request.method === 'HEAD')
    return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });
  return openInsertStream(getStore(), {
    after: query.query.after ?? null,
    signal: request.signal,
    client: currentClient(),
  });
}
