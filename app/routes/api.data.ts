import type { ApiHandler, ApiRequest, ApiResponse } from '../http/answer';
import { csvFormat, csvHeaders } from '../http/csv.server';
import { JSON_FORMAT, preferredFormat, streamPages } from '../http/formats.server';
import { cachedJson, JSON_HEADERS, writeResponse } from '../http/json-response.server';
import { invalidQuery, problem } from '../http/problem.server';
import { excludedParameter, MISSING_SENSOR, readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { deleteReadings } from '../ingest/delete-readings.server';
import { takePost } from '../ingest/take-post.server';
import { refuseWrite } from '../ingest/write-access.server';
import { GAP_LOOKBACK } from '../readings/chart/gap';
import { HISTORY_LIMIT } from '../readings/chart/range';
import { asPosted } from '../readings/correction';
import type { Reading } from '../readings/reading';
import { deletionMark, getSettings, getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'limit', 'after', 'format', 'raw');
const parseDeletion = readingQueryParser('sensor', 'from', 'to', 'id');

/** The most readings that a page requests: the longest range, and those before it that gaps are found by. */
const PAGE_LIMIT = HISTORY_LIMIT + GAP_LOOKBACK;

/** GET /api/data: readings as a JSON array or as CSV, oldest first. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { format = preferredFormat(request), raw = false, ...query } = parsed.query;
  const headers =
    format === 'csv'
      ? csvHeaders(request, query.sensor)
      : { ...JSON_HEADERS, 'Airboard-Deletions': deletionMark(), Vary: 'Accept' };
  if (request.method === 'HEAD') return { headers, body: null };
  const { limit = Number.POSITIVE_INFINITY, after, sensor, from, to } = query;
  // Many pages often request the same readings at once.
  const isCached = format === 'json' && limit <= PAGE_LIMIT && from === undefined && to === undefined && !raw;
  const answer = async (signal: AbortSignal) => {
    const store = getStore(signal);
    if (!isCached) {
      // The columns are fixed here: a metric whose first value arrives later isn't in the file.
      const written = format === 'csv' ? csvFormat(await store.measured(sensor)) : JSON_FORMAT;
      const pages = store.read(query);
      return { headers, body: await streamPages(raw ? postedPages(pages) : pages, written) };
    }
    const load = () => store.newest(limit, { after, sensor });
    const answer = await cachedJson(request, await store.version?.(), load);
    return { ...answer, headers: { ...answer.headers, ...headers, Vary: 'Accept, Accept-Encoding' } };
  };
  return answerInTurn(request, answer, !isCached);
};

async function* postedPages(pages: AsyncIterable<Reading[]>): AsyncGenerator<Reading[]> {
  for await (const page of pages) yield page.map(asPosted);
}

/** POST /api/data stores one reading, or several as JSON, CSV or NDJSON. DELETE /api/data?sensor=NAME deletes some. */
export const action: ApiHandler = async (request) => {
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  return request.method === 'DELETE' ? remove(request) : writeResponse(await takePost(getStore(), request));
};

/** Deletes the readings of a span of a sensor, all of them, or one. */
async function remove(request: ApiRequest): Promise<ApiResponse> {
  const parsed = parseDeletion(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { sensor, ...chosen } = parsed.query;
  if (sensor === undefined) return invalidQuery([MISSING_SENSOR]);
  const fault = excludedParameter(chosen, 'id', ['from', 'to']);
  if (fault) return invalidQuery([fault]);
  const known = { ...getStore(), nameOf: (name: string) => getSettings().nameOf(name) };
  return writeResponse(await deleteReadings(known, request, { sensor, ...chosen }));
}
