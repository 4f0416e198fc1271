import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post } from '../support/server/api';
import { startServer, temporaryFolder } from '../support/server/server';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

const SQLITE = '/node_modules/libsql/';
const SUPABASE = '/node_modules/@supabase/';

/** Starts a server, uses every kind of request, stops it, and returns the URLs of all scripts that it had loaded. */
async function loadedScripts(
  env: Record<string, string> = {},
): Promise<{ scripts: string; native: boolean }> {
  const coverage = temporaryFolder();
  const server = await startServer({ isUnbundled: true, env: { ...env, NODE_V8_COVERAGE: coverage } });
  expect((await post(server.url, { co2: 415, voc: 120 })).status).toBe(201);
  for (const path of ['/', '/chart', '/postdata', '/api/data', '/healthz']) {
    expect((await fetch(server.url + path)).status).toBe(200);
  }
  const native = process.platform === 'linux' && mapsSqlite(server.pid);
  await server.stop();
  const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
  const scripts = reports.flatMap((report) =>
    (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  return { scripts: scripts.join('\n'), native };
}

/** Returns whether the native library of SQLite is mapped into the memory of a process. */
const mapsSqlite = (pid: number) => /libsql.*\.node$/m.test(readFileSync(`/proc/${pid}/maps`, 'utf8'));

test('a server with the embedded store loads SQLite and nothing of Supabase', async () => {
  const { scripts, native } = await loadedScripts();
  expect(scripts).toContain(SQLITE);
  expect(scripts).not.toContain(SUPABASE);
  expect(native).toBe(process.platform === 'linux');
});

test('a server with the hosted store loads Supabase and nothing of SQLite', async () => {
  const double = await startSupabaseDouble();
  const { scripts, native } = await loadedScripts(double.env);
  expect(scripts).toContain(SUPABASE);
  expect(scripts).not.toContain(SQLITE);
  expect(native).toBe(false);
  await double.stop();
});
