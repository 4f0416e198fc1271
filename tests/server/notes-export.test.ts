import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Note } from '../../app/readings/note';
import { runSql } from '../support/readings/database';
import { post } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

let first: RunningServer;
let second: RunningServer;
beforeAll(async () => {
  [first, second] = await Promise.all([startServer(), startServer()]);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

/** Runs a script and returns its output. Rejects if it fails. */
const run = async (script: string, ...words: string[]) =>
  (await promisify(execFile)(process.execPath, [`scripts/${script}.js`, ...words])).stdout;

const notesOf = async (url: string): Promise<Omit<Note, 'id'>[]> =>
  (await (await fetch(`${url}/api/notes`)).json()).map(({ id, ...note }: Note) => note);

const FROM = '2026-01-31T10:00:00.000Z';
const NOTES = [
  { text: 'window', from: FROM, to: '2026-01-31T10:12:00.000Z', sensor: 'Küche' },
  { text: '=1+1', from: '2026-01-31T11:00:00.000001Z', sensor: '=Cell' },
  { text: 'six people, "loud"; \'=x', from: '2026-01-31T12:00:00.000Z' },
];

test('an export writes the notes to a second file, and an import of it restores them once', async () => {
  for (const note of NOTES)
    await fetch(`${first.url}/api/notes`, { method: 'POST', body: JSON.stringify(note) });
  await post(first.url, { co2: 500, voc: 100, created_at: FROM });
  const folder = temporaryFolder();
  const [file, notesFile] = [join(folder, 'all.csv'), join(folder, 'all-notes.csv')];
  expect(await run('export', file, '--url', first.url)).toContain(`3 notes written to ${notesFile}`);
  expect(readFileSync(notesFile, 'utf8')).toMatch(/^from,to,sensor,text,id\r\n/);

  expect(await run('import', notesFile, '--url', second.url)).toContain(
    '3 stored, 0 known already, 0 refused',
  );
  expect(await notesOf(second.url)).toEqual(await notesOf(first.url));
  expect(await run('import', notesFile, '--url', second.url)).toContain(
    '0 stored, 3 known already, 0 refused',
  );
  expect(await notesOf(second.url)).toHaveLength(3);
  expect(await run('import', notesFile, '--url', second.url, '--dry-run')).toContain('"text":"=1+1"');
  await expect(run('export', file, '--url', first.url)).rejects.toThrow('exists already');
});

test('an export without notes writes one file, and an export selects the notes of its sensor and span', async () => {
  await post(first.url, { co2: 500, voc: 100, created_at: FROM, sensor: 'Den' });
  const folder = temporaryFolder();
  await run('export', join(folder, 'none.csv'), '--url', first.url, '--sensor', 'Den');
  expect(existsSync(join(folder, 'none-notes.csv'))).toBe(false);
  for (const note of [
    { sensor: 'Den', text: 'in', from: FROM },
    { text: 'other', from: FROM },
  ])
    await fetch(`${first.url}/api/notes`, { method: 'POST', body: JSON.stringify(note) });
  const span = ['--sensor', 'Den', '--from', '2026-01-31', '--to', '2026-02-01'];
  await run('export', join(folder, 'some.ndjson'), '--url', first.url, ...span);
  expect(readFileSync(join(folder, 'some-notes.csv'), 'utf8')).toMatch(/id\r\n.*,in,\d+\r\n$/);
});

test('exports more notes than one response contains', async () => {
  const before = (await notesOf(second.url)).length;
  await fetch(`${second.url}/api/notes`, { method: 'POST', body: JSON.stringify({ text: 'x', from: FROM }) });
  // Several notes share a time, even where a response ends.
  runSql(
    second.databasePath,
    `insert into notes (sensor, begins_at, text) with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
     select sensor, begins_at + i / 7 * 1000000, 'note ' || i from n, notes where notes.text = 'x'`,
  );
  const folder = temporaryFolder();
  expect(await run('export', join(folder, 'all.csv'), '--url', second.url)).toContain(
    `${before + 2501} notes written`,
  );
  const rows = readFileSync(join(folder, 'all-notes.csv'), 'utf8').trim().split('\r\n').slice(1);
  const times = rows.map((row) => row.slice(0, FROM.length));
  expect(times).toEqual([...times].sort());
});
