import { rmSync, writeFileSync } from 'node:fs';
import { HISTORY_LIMIT } from '../../app/readings/chart/range';
import type { Figure, Measurement } from '../figure';
import { getRequest, requestsPerSecond } from '../http-connection';
import { seedStore, startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const ROUND_MS = 2000;
const QUERY = `/api/data?limit=${HISTORY_LIMIT}`;
/** A file in the folder of static files, so that the product serves it. */
const FILE = 'bench-history.json';
const ENCODINGS = { 'without gzip': 'identity', 'with gzip': 'gzip' };

/** Measures the rate of history requests, against the same bytes from a static file on the same server. */
export const history: Measurement = {
  name: 'history',
  async measure() {
    const file = `build/client/${FILE}`;
    // Create the file first, because a server only serves static files that exist at its start.
    writeFileSync(file, '');
    const server = await startProduct(seedStore(10_000));
    writeFileSync(file, await (await fetch(server.url + QUERY)).text());
    const figures: Figure[] = [];
    try {
      for (const [description, encoding] of Object.entries(ENCODINGS)) {
        const perSecond = (path: string) => () =>
          requestsPerSecond(server.url, getRequest(path, { 'Accept-Encoding': encoding }), {
            connections: 8,
            durationMs: ROUND_MS,
            status: 200,
          });
        figures.push({
          name: `history of ${HISTORY_LIMIT} a second, ${description}, 8 connections`,
          unit: '/s',
          ...medians(await interleave(perSecond(QUERY), perSecond(`/${FILE}`)), (rate) => rate),
          target: { atLeast: 0.5 },
        });
      }
    } finally {
      rmSync(file);
      await server.stop();
    }
    return figures;
  },
};
