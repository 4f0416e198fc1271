import type { ApiHandler } from '../http/answer';
import { csvHeaders, notesCsv } from '../http/csv.server';
import { preferredFormat } from '../http/formats.server';
import { JSON_HEADERS, writeResponse } from '../http/json-response.server';
import { invalidQuery, problem } from '../http/problem.server';
import { readingQueryParser, refuseParameters } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { removeNote, takeNote } from '../ingest/take-note.server';
import { refuseWrite } from '../ingest/write-access.server';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'format');

/** GET /api/notes: notes as a JSON array or as CSV, oldest first. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { format = preferredFormat(request), ...query } = parsed.query;
  const headers =
    format === 'csv'
      ? csvHeaders(request, query.sensor, 'airboard-notes')
      : { ...JSON_HEADERS, Vary: 'Accept' };
  if (request.method === 'HEAD') return { headers, body: null };
  return answerInTurn(request, async (signal) => {
    const notes = await getStore(signal).notes.list(query);
    return { headers, body: format === 'csv' ? notesCsv(notes) : JSON.stringify(notes) };
  });
};

/** POST /api/notes stores a note. DELETE /api/notes?id=N removes one. */
export const action: ApiHandler = async (request) => {
  const isRemoval = request.method === 'DELETE';
  const wrongAddress = refuseParameters(request, isRemoval ? ['id'] : []);
  if (wrongAddress) return wrongAddress;
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  const { notes } = getStore();
  if (!isRemoval) return writeResponse(await takeNote(notes, request));
  const answer = await removeNote(notes, request.url.searchParams.get('id'));
  return answer.ok
    ? { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
    : writeResponse(answer);
};
