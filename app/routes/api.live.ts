import { apiFunction } from '../http/api-route.server';
import { problem } from '../http/problem.server';
import { parseReadingQuery } from '../http/reading-query.server';
import { streamInserts } from '../live/server/insert-streams.server';
import { getStore } from '../store/open-store.server';

const USE_SUPABASE =
  'This server keeps its readings in Supabase, which sends inserts itself: listen to INSERT events on the ' +
  "table data, schema public, of the project's Realtime channel public:data. GET /api/data?after=ID returns " +
  'the readings you missed.';

/** GET /api/live: inserts as server-sent events, first those missed since `Last-Event-ID` or `after`. */
export const loader = apiFunction((request) => {
  const { inserts, read } = getStore();
  if (!inserts) return problem({ status: 404, detail: USE_SUPABASE });
  const parameters = request.url.searchParams;
  // A browser that reconnects sends the header and repeats the URL of its first request: the header is newer.
  const lastEventId = request.header('Last-Event-ID');
  if (lastEventId) parameters.set('after', lastEventId);
  const query = parseReadingQuery(parameters);
  if (!query.ok) return problem({ status: 400, detail: 'The query is invalid.', errors: query.errors });
  if (request.method === 'HEAD') return { headers: { 'Content-Type': 'text/event-stream' }, body: null };
  return streamInserts({ inserts, read }, query.query.after ?? null);
});
