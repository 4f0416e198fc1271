import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getEnv } from '../config/env.server';
import { eventLoopTurns } from '../config/event-loop-turns.server';
import type { ApiHandler } from '../http/answer';
import { preferredMetrics } from '../http/formats.server';
import { invalidQuery } from '../http/problem.server';
import { linkToNext, sensorListParser } from '../http/query.server';
import { acceptsGzip } from '../http/question.server';
import { openStreamCount } from '../live/server/insert-streams.server';
import { metricsText, roomMetrics, sensorMetrics, serverMetrics } from '../metrics/metrics.server';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { roomNow } from '../room/rooms-now.server';
import { getStore } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';

const parseQuery = sensorListParser(['limit', 'after']);
const nextTurn = eventLoopTurns();

/** GET /metrics: a page of the sensors by name and the server's counters, for Prometheus. If the store is unavailable, only the counters. */
export const loader: ApiHandler = async (request) => {
  const query = parseQuery(request.url.searchParams);
  if (!query.ok) return invalidQuery(query.errors);
  const contentType = preferredMetrics(request);
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Encoding',
  };
  if (request.method === 'HEAD') return { headers, body: null };
  const store = getStore();
  const { limit = SENSORS_IN_PAGE, after } = query.query;
  const found = await store.sensors(limit + 1, after).catch((error) => {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return [];
  });
  // The store answers all waiting requests in one event-loop turn; this spreads the work after it over several turns.
  await nextTurn();
  const state = { store: store.kind, openStreams: openStreamCount() };
  const link = linkToNext(
    '/metrics',
    found.map(({ name }) => name),
    limit,
  );
  const sensors = found.slice(0, limit);
  Object.assign(headers, link);
  const large = await sensorMetrics(sensors, getEnv().thresholds, Date.now());
  const others = [
    ...roomMetrics(sensors.flatMap(({ name }) => roomNow(name) ?? [])),
    ...serverMetrics(state),
  ];
  const text = await metricsText(large, others, contentType);
  if (!acceptsGzip(request)) return { headers, body: text };
  return { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: await promisify(gzip)(text) };
};
