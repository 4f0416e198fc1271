import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { currentClient } from '../http/front-door.server';
import { problem, unavailable } from '../http/problem.server';
import { readJson } from '../http/read-json.server';
import { parseReadingQuery } from '../http/reading-query.server';
import { streamJsonArray } from '../http/stream-json.server';
import { refuseWrite } from '../http/write-access.server';
import { parseReading } from '../readings/parse-reading';
import { ReadingRefused } from '../store/reading-refused.server';
import { getStore } from '../store/store.server';
import { StoreUnavailable } from '../store/store-unavailable.server';

const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** GET /api/data: readings as a JSON array, oldest first. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const query = parseReadingQuery(new URL(request.url).searchParams);
  if (!query.ok) return problem({ status: 400, detail: 'The query is wrong.', errors: query.errors });
  if (request.method === 'HEAD') return new Response(null, { headers: JSON_HEADERS });
  try {
    const pages = getStore().read(query.query);
    return new Response(await streamJsonArray(pages, currentClient()), { headers: JSON_HEADERS });
  } catch (error) {
    return answerFailure(error);
  }
}

/** POST /api/data: stores one reading. */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  const body = await readJson(request);
  if (!body.ok) return problem(body);
  const parsed = parseReading(body.value);
  if (!parsed.ok) return problem({ status: 400, detail: 'The reading was refused.', errors: parsed.errors });
  try {
    const stored = await getStore().insert(parsed.reading);
    return Response.json(stored, { status: 201, headers: JSON_HEADERS });
  } catch (error) {
    return answerFailure(error);
  }
}

function answerFailure(error: unknown): Response {
  if (error instanceof ReadingRefused) return problem({ status: 400, detail: error.message });
  if (!(error instanceof StoreUnavailable)) throw error;
  return unavailable(error.message, error.retryAfterSeconds);
}
