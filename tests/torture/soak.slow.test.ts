import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openConnection, RawClient } from '../support/server/raw-client';
import { startServer } from '../support/server/server';
import { expectNoGrowth, inMiB, MiB, vitalsAtRest, WITH_VITALS } from '../support/server/vitals';
import { inLanes, LONG, report, size } from '../support/size';

const POSTS = size(50_000, 750);
const LANES = 16;
const WAL_LIMIT = 16 * MiB;

test('thousands of single posts keep the WAL small and memory flat', LONG, async () => {
  const server = await startServer({ env: { POSTS_PER_MINUTE: '0', ...WITH_VITALS } });
  // Clients that read nothing must not block checkpoints of the WAL.
  const stalled = ['/api/data', '/api/live'].map((path) => {
    const connection = openConnection(server.port, `GET ${path} HTTP/1.1\r\nHost: board\r\n\r\n`);
    connection.socket.pause();
    return connection;
  });

  let largestWal = 0;
  const clients = Array.from({ length: LANES }, () => new RawClient(server.port));
  const postOne = async (i: number, lane: number) => {
    const answer = await clients[lane]?.post(JSON.stringify({ co2: i, voc: -i }));
    if (answer?.status !== 201) throw new Error(`post ${i}: ${answer?.status}`);
    if (i % 10 === 0) largestWal = Math.max(largestWal, statSync(`${server.databasePath}-wal`).size);
  };
  const warmUp = Math.floor(POSTS / 5);
  await inLanes(LANES, warmUp, postOne);
  for (const { socket } of stalled) socket.destroy();
  for (const client of clients) client.close();
  const warm = await vitalsAtRest(server);
  const startedAt = performance.now();
  await inLanes(LANES, POSTS - warmUp, postOne);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const client of clients) client.close();
  const end = await vitalsAtRest(server);

  const rate = Math.round((POSTS - warmUp) / seconds);
  const memory = `held ${inMiB(warm.heldBytes)}, then ${inMiB(end.heldBytes)}; resident ${inMiB(end.residentBytes)}`;
  report(`${POSTS} posts, ${rate}/s: log at most ${inMiB(largestWal)}; ${memory}`);
  expect(largestWal).toBeLessThan(WAL_LIMIT);
  expectNoGrowth(warm, end);
  expect(await server.stop()).toBe(0);
});
