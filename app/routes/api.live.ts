import { apiFunction } from '../http/api-route.server';
import { problem } from '../http/problem.server';
import { parseReadingQuery } from '../http/reading-query.server';
import { openInsertStream } from '../live/server/insert-streams.server';
import { getStore } from '../store/open-store.server';

const FEED_IS_ELSEWHERE =
  'This server keeps its readings in Supabase, which sends inserts itself: listen to INSERT events on the ' +
  'table data, schema public, of the project’s Realtime channel public:data. GET /api/data?after=ID has what you missed.';

/** GET /api/live: inserts as server-sent events, first what was missed since `Last-Event-ID` or `after`. */
export const loader = apiFunction((request) => {
  const { inserts, read } = getStore();
  if (!inserts) return problem({ status: 404, detail: FEED_IS_ELSEWHERE });
  const parameters = request.url.searchParams;
  // A browser that comes back sends the id; the address it comes back to is still the one of its first visit.
  const lastEventId = request.header('Last-Event-ID');
  if (lastEventId) parameters.set('after', lastEventId);
  const query = parseReadingQuery(parameters);
  if (!query.ok) return problem({ status: 400, detail: 'The query is wrong.', errors: query.errors });
  if (request.method === 'HEAD') return { headers: { 'Content-Type': 'text/event-stream' }, body: null };
  const client = request.client();
  return openInsertStream(
    { inserts, read },
    { after: query.query.after ?? null, signal: client.gone(), client },
  );
});
