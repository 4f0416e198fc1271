import { askedSensor } from '../history/asked-span.server';
import type { ApiHandler } from '../http/answer';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { answerVentilation } from '../room/answer-room.server';
import { getStore, settingsFor } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'at');

/** GET /api/ventilation: the ventilation of a sensor's room, now or at an earlier time. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  return answerInTurn(request, async (signal) => {
    const store = getStore(signal);
    const asked = await askedSensor(store, parsed.query.sensor);
    if (!asked.ok) return invalidQuery(asked.errors);
    const now = Date.now();
    const at = parsed.query.at === undefined ? now : Math.min(now, Date.parse(parsed.query.at));
    const source = { store, sensor: asked.value, settings: settingsFor(asked.value) };
    return conditionalJson(request, await answerVentilation(source, at / 1000, now / 1000), 0);
  });
};
