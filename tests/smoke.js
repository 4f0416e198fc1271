/**
 * Starts the built server under the Node that runs this file, posts a reading, reads it back and stops the server.
 * Exits with 1 if any step fails. `.ci/run` does this for each version that `engines` promises.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Includes a build, in case there is none. */
const START_MS = 120_000;
const STOP_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'airboard-smoke-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'scripts', 'start.js')], {
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_PATH: join(folder, 'readings.db'),
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const exit = once(server, 'exit');
try {
  await untilHealthy();
  const posted = await fetch(`${url}/api/data`, { method: 'POST', body: '{"co2": 415, "voc": "120"}' });
  assert.equal(posted.status, 201);
  const reading = await posted.json();
  assert.deepEqual(await (await fetch(`${url}/api/data`)).json(), [reading]);
  const page = await fetch(url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<html/);
  // The request guard sets it. It finds the server through a diagnostics channel that a Node version may change.
  assert.equal(page.headers.get('X-Content-Type-Options'), 'nosniff');
  server.kill('SIGTERM');
  assert.deepEqual(await Promise.race([exit, sleep(STOP_MS, 'timeout', { ref: false })]), [0, null]);
  console.log(`Node ${process.version}: stored and returned a reading, rendered /, stopped with 0`);
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}

async function untilHealthy() {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(50)) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error(`the server did not answer within ${START_MS / 1000} s`);
}
