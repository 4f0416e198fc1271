import { execFile } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';

let double: SupabaseDouble;

beforeEach(async () => {
  double = await startSupabaseDouble();
  const days = [1, 2, 3, 4, 5, 6];
  await double.insert(...days.map((day) => ({ co2: day, created_at: `2026-01-0${day}T00:00:00Z` })));
});

afterEach(() => double.stop());

/** Runs a script with the settings of the project. */
function run(script: string, options: string[], key: string = double.secretKey) {
  const env = { ...process.env, ...double.env, SUPABASE_SECRET_KEY: key };
  return new Promise<{ exitCode: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [`scripts/${script}.js`, ...options], { env }, (error, stdout, stderr) =>
      resolve({ exitCode: error?.code ?? 0, output: stderr + stdout }),
    );
  });
}

const OLD = ['--before', '2026-01-04', '--yes'];

test('deletes the old readings of a project', async () => {
  const host = new URL(double.url).host;
  expect(await run('prune', OLD)).toEqual({
    exitCode: 0,
    output: `3 readings from before 2026-01-04T00:00:00.000Z deleted from ${host}. New readings use their space.\n`,
  });
  expect((await double.rows()).map(({ co2 }) => co2)).toEqual([4, 5, 6]);
});

test('deletes nothing from a project without the secret key, the migration, or a yes', async () => {
  expect(await run('prune', OLD, '')).toMatchObject({
    exitCode: 1,
    output: expect.stringMatching(/SUPABASE_SECRET_KEY/),
  });
  expect(await run('prune', OLD.slice(0, 2))).toMatchObject({
    exitCode: 1,
    output: expect.stringMatching(/add --yes/),
  });
  await double.run('drop function prune_readings');
  expect(await run('prune', OLD)).toMatchObject({
    exitCode: 1,
    output: expect.stringMatching(
      /lacks the migration 20261128093000_rooms_and_notes\.sql\. .*reload schema/,
    ),
  });
  expect(await double.rows()).toHaveLength(6);
});

test('backs a project up by an export from the server', async () => {
  const { exitCode, output } = await run('backup', ['readings-hosted.csv', '--help']);
  expect(exitCode).toBe(0);
  expect(output).toMatch(/SUPABASE_URL/);
  const failed = await run('backup', ['readings-hosted.db']);
  expect(failed).toMatchObject({
    exitCode: 2,
    output: expect.stringMatching(/the format "db" can't be written/),
  });
});
