import { getEnv } from '../config/env.server';
import { askedSpan, maxAgeSeconds } from '../history/asked-span.server';
import type { ApiHandler } from '../http/answer';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { answerAirings } from '../room/answer-room.server';
import { getStore } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';

const parseQuery = readingQueryParser('sensor', 'from', 'to');

/** GET /api/airings: the times at which a window was open, found in the CO2 readings. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  return answerInTurn(request, async (signal) => {
    const now = Date.now();
    const store = getStore(signal);
    const span = await askedSpan(store, parsed.query, now);
    if (!span.ok) return invalidQuery(span.errors);
    const source = { store, sensor: span.value.sensor, settings: getEnv() };
    const { airings, missing } = await answerAirings(source, span.value, now / 1000);
    if (airings) return conditionalJson(request, airings, maxAgeSeconds(span.value.to, now));
    throw new StoreUnavailableError(
      `The airings of ${missing} more days are still being computed. Ask again in a second.`,
      1,
    );
  });
};
