import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, post, readAll } from '../support/server/api';
import { type RunningServer, runServer, startServer } from '../support/server/server';
import { until } from '../support/until';

/** Holds a write lock while `work` runs, as another program might. */
async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const other = new Database(path);
  other.exec('pragma busy_timeout = 5000; begin immediate');
  try {
    return await work();
  } finally {
    other.exec('rollback');
    other.close();
  }
}

let server: RunningServer;

/** The tests share the server. The last one leaves it stopped. */
beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

test('a post waits 3 s for a locked database and is stored once', async () => {
  // The server gives up after 4.5 s. A busy machine may not end the lock before that.
  const stored: number[] = [];
  await until(async () => {
    const values = [1, 2, 3].map((i) => stored.length * 10 + i);
    const { posts, answeredAfterMs } = await whileLocked(server.databasePath, async () => {
      const begun = performance.now();
      let answeredAfterMs = Number.POSITIVE_INFINITY;
      const posts = Promise.all(values.map((co2) => post(server.url, { co2, voc: 1 })));
      posts.then(() => {
        answeredAfterMs = performance.now() - begun;
      });
      // The README promises a wait of 3 s.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      return { posts, answeredAfterMs };
    });
    expect(answeredAfterMs).toBeGreaterThan(3000);
    const answers = await posts;
    stored.push(...values.filter((_, i) => answers[i]?.status === 201));
    return answers.every(({ status }) => status === 201);
  });
  expect(new Set((await readAll(server.url)).map(({ co2 }) => co2))).toEqual(new Set(stored));
  expect(await readAll(server.url)).toHaveLength(stored.length);
});

test('answers a post with 503 if the database stays locked, and other requests as usual', async () => {
  const before = await readAll(server.url);
  const { rejected, answersMeanwhile } = await whileLocked(server.databasePath, async () => {
    const waiting = post(server.url, { co2: 4, voc: 1 });
    let isSettled = false;
    waiting.then(() => {
      isSettled = true;
    });
    let answersMeanwhile = 0;
    while (!isSettled && answersMeanwhile < 20) {
      const { status } = await fetch(`${server.url}/healthz`);
      // After the post is rejected, but before its response arrives, /healthz reports that writes fail.
      if (status === 503) break;
      expect(await readAll(server.url)).toEqual(before);
      answersMeanwhile++;
    }
    return { rejected: await waiting, answersMeanwhile };
  });
  const { detail } = await expectProblem(rejected, 503);
  expect(detail).toContain('locked');
  expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(answersMeanwhile).toBeGreaterThan(1);
  expect(await readAll(server.url)).toEqual(before);
  expect((await post(server.url, { co2: 5, voc: 1 })).status).toBe(201);
});

const LOCK_COMPLETELY = `
  const database = new (require('libsql'))(process.argv[1]);
  database.pragma('locking_mode = exclusive');
  database.exec('begin exclusive; update data set voc = voc;');
  console.log('locked');
  setInterval(() => {}, 1000);
`;

/** Starts a program that locks out even readers, as closing a database does briefly. */
async function lockCompletely(path: string): Promise<{ release(): Promise<void> }> {
  const other = spawn(process.execPath, ['-e', LOCK_COMPLETELY, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  return {
    async release() {
      other.kill('SIGKILL');
      await once(other, 'exit');
    },
  };
}

test('a starting server waits for a locked database', async () => {
  const before = await readAll(server.url);
  await server.stop();
  const lock = await lockCompletely(server.databasePath);
  rmSync(`${server.databasePath}.lock`);
  const starting = server.restart();
  // The server creates its lock file before it opens the database file.
  await until(() => existsSync(`${server.databasePath}.lock-journal`));
  await lock.release();
  server = await starting;
  expect(await readAll(server.url)).toEqual(before);
});

test('a starting server exits with 1 and the reason if the database stays locked', async () => {
  await server.stop();
  const lock = await lockCompletely(server.databasePath);
  const { exitCode, output } = await runServer({ DATABASE_PATH: server.databasePath });
  await lock.release();
  expect(exitCode).toBe(1);
  expect(output).toContain(`can't keep readings in ${server.databasePath}: another program has it locked`);
});
