import type { ApiHandler, Refusal } from '../http/answer';
import { fileBudget } from '../http/guard/connections.server';
import { invalidQuery, problem } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { openStreamCount, openStreamsOf, streamInserts } from '../live/server/insert-streams.server';
import { getStore } from '../store/open-store.server';

const USE_SUPABASE =
  'This server keeps its readings in Supabase, which sends inserts itself: listen to INSERT events on the ' +
  "table data, schema public, of the project's Realtime channel public:data. GET /api/data?after=ID returns " +
  'the readings you missed.';

const TOO_MANY: Refusal = {
  status: 503,
  detail:
    'The server has as many streams open as its open files and its memory allow. Poll GET /api/data?after=ID.',
  headers: { 'Retry-After': '10', Connection: 'close' },
};

/** The most streams of one address. A school behind one address needs fewer, with one for each browser. */
const ADDRESS_STREAMS = 512;

const TOO_MANY_OF_ADDRESS: Refusal = {
  status: 429,
  detail: `Your address has ${ADDRESS_STREAMS} streams open, the most that one may have. Close some, or poll GET /api/data?after=ID.`,
  headers: { 'Retry-After': '10' },
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
  const address = request.address();
  if (openStreamsOf(address) >= ADDRESS_STREAMS) return problem(TOO_MANY_OF_ADDRESS);
  return streamInserts({ inserts, read, newest }, { ...query.query, address });
};
