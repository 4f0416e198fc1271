import type { ApiHandler, Refusal } from '../http/answer';
import { fileBudget } from '../http/guard/connections.server';
import { invalidQuery, problem } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { openStreamCount, streamInserts } from '../live/server/insert-streams.server';
import { getStore } from '../store/open-store.server';

const USE_SUPABASE =
  'This server keeps its readings in Supabase, which sends inserts itself: listen to INSERT events on the ' +
  "table data, schema public, of the project's Realtime channel public:data. GET /api/data?after=ID returns " +
  'the readings you missed.';

const TOO_MANY: Refusal = {
  status: 503,
  detail:
    'The server has as many streams open as its limit on open files allows. Poll GET /api/data?after=ID.',
  headers: { 'Retry-After': '10', Connection: 'close' },
};

const parseQuery = readingQueryParser('sensor', 'after');

/** GET /api/live: inserts as server-sent events, starting with those missed since `Last-Event-ID` or `after`. */
export const loader: ApiHandler = (request) => {
  const { inserts, read, newest } = getStore();
  if (!inserts) return problem({ status: 404, detail: USE_SUPABASE });
  const parameters = request.url.searchParams;
  // A browser that reconnects repeats the URL of its first request and adds the header, which is newer.
  const lastEventId = request.header('last-event-id');
  if (lastEventId) parameters.set('after', lastEventId);
  const query = parseQuery(parameters);
  if (!query.ok) return invalidQuery(query.errors);
  if (request.method === 'HEAD') return { headers: { 'Content-Type': 'text/event-stream' }, body: null };
  if (openStreamCount() >= fileBudget().streams) return problem(TOO_MANY);
  return streamInserts({ inserts, read, newest }, query.query);
};
