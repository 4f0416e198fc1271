import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { expectProblem } from '../support/problem';
import { type RunningServer, startServer } from '../support/server';

/** Another program's lock, as long as `work` takes. */
async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const other = new Database(path);
  other.exec('begin immediate');
  try {
    return await work();
  } finally {
    other.exec('rollback');
    other.close();
  }
}

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

test('a post that finds the database locked for 3 s waits, and is stored once', async () => {
  const waiting = await whileLocked(server.databasePath, async () => {
    let isAnswered = false;
    const posts = Promise.all([1, 2, 3].map((co2) => post(server.url, { co2, voc: 1 })));
    posts.then(() => {
      isAnswered = true;
    });
    // Three seconds are what is promised: here the time itself is the claim.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(isAnswered).toBe(false);
    return { posts };
  });
  for (const answer of await waiting.posts) expect(answer.status).toBe(201);
  expect((await readAll(server.url)).map(({ co2 }) => co2).sort()).toEqual([1, 2, 3]);
});

test('a database that stays locked: 503 for the post, while everything else is answered', async () => {
  const { refused, answersMeanwhile } = await whileLocked(server.databasePath, async () => {
    const waiting = post(server.url, { co2: 4, voc: 1 });
    let isRefused = false;
    waiting.then(() => {
      isRefused = true;
    });
    let answersMeanwhile = 0;
    while (!isRefused) {
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect(await readAll(server.url)).toHaveLength(3);
      answersMeanwhile++;
    }
    return { refused: await waiting, answersMeanwhile };
  });
  const { detail } = await expectProblem(refused, 503);
  expect(detail).toContain('locked');
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(answersMeanwhile).toBeGreaterThan(10);
  expect(await readAll(server.url)).toHaveLength(3);
  expect((await post(server.url, { co2: 5, voc: 1 })).status).toBe(201);
});
