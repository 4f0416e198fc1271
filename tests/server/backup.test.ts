import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { run as runProgram } from '../support/devices/recipes';
import { seedDatabase } from '../support/readings/database';
import { post, readAll } from '../support/server/api';
import { RawClient } from '../support/server/raw-client';
import { startServer, temporaryFolder } from '../support/server/server';

/** Runs a script beside the server, and returns its output. */
async function run(script: string, databasePath: string, file: string): Promise<string> {
  const child = spawn(process.execPath, [`scripts/${script}.js`, file], {
    env: { ...process.env, DATABASE_PATH: databasePath },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(0);
  return output;
}

const STORED = 5000;

test('a backup under load contains every reading confirmed before it, and can be restored after a crash', async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await seedDatabase(databasePath, STORED);
  let server = await startServer({ databasePath, env: { POSTS_PER_MINUTE: '0' } });
  const copy = join(temporaryFolder(), 'copy.db');

  let isDone = false;
  let confirmed = STORED;
  const sender = async () => {
    const client = new RawClient(server.port);
    for (; !isDone; confirmed++)
      expect((await client.post(`{"co2": ${confirmed}, "voc": 1}`))?.status).toBe(201);
    client.close();
  };
  const sending = sender();
  const before = confirmed;
  const output = await run('backup', databasePath, copy);
  isDone = true;
  await sending;
  expect(confirmed).toBeGreaterThan(before);
  expect(await readAll(server.url)).toHaveLength(confirmed);

  await server.stop('SIGKILL');
  await run('restore', databasePath, copy);
  server = await server.restart();
  const ids = (await readAll(server.url, '?after=0')).map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(before);
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => i + 1));
  expect(output).toMatch(new RegExp(`^${ids.length} readings of .* backed up to`, 'm'));
  expect((await post(server.url, { co2: 1, voc: 1 })).status).toBe(201);
  expect(await server.stop()).toBe(0);
});

test('the nightly backup of docs/operate.md makes a dated copy and deletes the copies older than 30 days', async () => {
  const folder = temporaryFolder();
  const [backups, programs] = [join(folder, 'backups'), join(folder, 'bin')];
  await seedDatabase(join(folder, 'readings.db'), 5);
  mkdirSync(backups);
  const old = join(backups, 'readings-2026-01-01.db');
  writeFileSync(old, '');
  utimesSync(old, 0, 0);
  mkdirSync(programs);
  const script = resolve('scripts/backup.js');
  writeFileSync(
    join(programs, 'airboard'),
    `#!/bin/sh\nshift\nexec '${process.execPath}' '${script}' "$@"\n`,
    {
      mode: 0o755,
    },
  );

  const [, command = ''] = /^15 3 \* \* \* root (.*)$/m.exec(readFileSync('docs/operate.md', 'utf8')) ?? [];
  // In a crontab, `\%` means `%`.
  await runProgram(['sh', '-c', command.replaceAll('\\%', '%')], {
    env: {
      ...process.env,
      PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
      BACKUPS: backups,
      DATABASE_PATH: join(folder, 'readings.db'),
    },
  });
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^readings-\d{4}-\d\d-\d\d\.db$/)]);
});
