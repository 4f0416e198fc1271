import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { expectProblem } from '../support/problem';
import { type RunningServer, runServer, startServer } from '../support/server';
import { until } from '../support/until';

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

const LOCK_WHOLE = `
  const database = new (require('libsql'))(process.argv[1]);
  database.pragma('locking_mode = exclusive');
  database.exec('begin exclusive; update data set voc = voc;');
  console.log('locked');
  setInterval(() => {}, 1000);
`;

/** Another program that keeps even readers out, as one that closes the file does for a moment. */
async function lockWhole(path: string): Promise<{ release(): Promise<void> }> {
  const other = spawn(process.execPath, ['-e', LOCK_WHOLE, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  return {
    async release() {
      other.kill('SIGKILL');
      await once(other, 'exit');
    },
  };
}

test('a start that finds the database locked waits for it', async () => {
  const stopped = await startServer();
  await post(stopped.url, { co2: 5, voc: 1 });
  await stopped.stop();
  const lock = await lockWhole(stopped.databasePath);
  const starting = stopped.restart();
  // Its own lock beside the file is what it takes before it opens that.
  await until(() => existsSync(`${stopped.databasePath}.lock-journal`));
  await lock.release();
  const started = await starting;
  expect((await readAll(started.url)).map(({ co2 }) => co2)).toEqual([5]);
  await started.stop();
});

test('a start that finds the database locked for good ends, and says why', async () => {
  const stopped = await startServer();
  await stopped.stop();
  const lock = await lockWhole(stopped.databasePath);
  const { exitCode, output } = await runServer({ DATABASE_PATH: stopped.databasePath });
  await lock.release();
  expect(exitCode).toBe(1);
  expect(output).toContain(`can't keep readings in ${stopped.databasePath}: another program has it locked`);
});
