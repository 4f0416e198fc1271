import { getEnv } from '../config/env.server';
import { maxAgeSeconds, spanInSeconds } from '../history/asked-span.server';
import { roomNumbers } from '../history/room-numbers.server';
import type { ApiHandler } from '../http/answer';
import { csvHeaders, roomsCsv } from '../http/csv.server';
import { preferredFormat } from '../http/formats.server';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { sensorsIn } from '../readings/sensor';
import { presentRooms } from '../room/present-rooms.server';
import { getSettings, getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'group', 'metric', 'from', 'to', 'zone', 'format');

/** GET /api/rooms: the present state of all rooms; with `from` or `to`, their numbers over a span, also as CSV. Worst first. */
export const loader: ApiHandler = async (request) => {
  const { searchParams } = request.url;
  const sensors = searchParams.has('sensor') ? sensorsIn(searchParams) : undefined;
  // The only parameter that may be repeated.
  const query = new URLSearchParams(searchParams);
  if (sensors?.[0] !== undefined) query.set('sensor', sensors[0]);
  const parsed = parseQuery(query);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { group, metric, from, to, zone = 'UTC', format } = parsed.query;
  const isOfSpan = from !== undefined || to !== undefined;
  if (isOfSpan && from === undefined)
    return invalidQuery([{ field: 'from', detail: 'is missing: send the beginning of the span too' }]);
  const other = isOfSpan
    ? undefined
    : (['zone', 'format'] as const).find((name) => parsed.query[name] !== undefined);
  if (other) return invalidQuery([{ field: other, detail: 'needs a span: send from too' }]);
  if (sensors && !isOfSpan) return invalidQuery([{ field: 'sensor', detail: 'needs a span: send from too' }]);
  return answerInTurn(request, async (signal) => {
    const now = Date.now();
    const store = getStore(signal);
    if (from === undefined) {
      const rooms = await presentRooms(store, { group, metric }, now);
      return conditionalJson(request, rooms, 0);
    }
    const span = spanInSeconds(from, to, now);
    const names = sensors?.map((name) => getSettings().nameOf(name));
    const asked = { group, sensors: names, field: metric ?? 'co2', ...span, zone };
    const rooms = await roomNumbers(store, asked, getEnv().thresholds, now);
    if ((format ?? preferredFormat(request)) === 'csv')
      return { headers: csvHeaders(request, group, 'airboard-rooms'), body: roomsCsv(rooms) };
    const answer = await conditionalJson(request, rooms, maxAgeSeconds(span.to, now));
    return { ...answer, headers: { ...answer.headers, Vary: 'Accept, Accept-Encoding' } };
  });
};
