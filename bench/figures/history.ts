import { rmSync, writeFileSync } from 'node:fs';
import { HISTORY_LIMIT } from '../../app/readings/range';
import type { Figure, Measurement } from '../figure';
import { getRequest, requestsPerSecond } from '../http-connection';
import { seedStore, startProduct } from '../servers';
import { inTurns, medians } from '../statistics';

const ROUND_MS = 2000;
const QUERY = `/api/data?limit=${HISTORY_LIMIT}`;
/** Where the build puts what stands in `public/`. */
const FILE = 'bench-history.json';
const ENCODINGS = { 'without gzip': 'identity', 'with gzip': 'gzip' };

/** How fast a page gets its history, against the same server handing out the same bytes from a file. */
export const history: Measurement = {
  name: 'history',
  async measure() {
    const server = await startProduct(seedStore(10_000));
    const path = `build/client/${FILE}`;
    writeFileSync(path, await (await fetch(server.url + QUERY)).text());
    const figures: Figure[] = [];
    try {
      for (const [words, encoding] of Object.entries(ENCODINGS)) {
        const perSecond = (address: string) => () =>
          requestsPerSecond(server.url, getRequest(address, { 'Accept-Encoding': encoding }), {
            connections: 8,
            durationMs: ROUND_MS,
            status: 200,
          });
        figures.push({
          name: `history of ${HISTORY_LIMIT} a second, ${words}, 8 connections`,
          unit: '/s',
          ...medians(await inTurns(perSecond(QUERY), perSecond(`/${FILE}`)), (rate) => rate),
          target: { atLeast: 0.5 },
        });
      }
    } finally {
      rmSync(path);
      await server.stop();
    }
    return figures;
  },
};
