import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postAll, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

let double: Awaited<ReturnType<typeof startSupabaseDouble>>;
beforeAll(async () => {
  double = await startSupabaseDouble();
});
afterAll(() => double.stop());

describe.each([
  ['SQLite', () => ({})],
  ['Supabase', () => ({ ...double.env, SUPABASE_SECRET_KEY: double.secretKey })],
])('on %s', (_, env) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env: env() });
    const readings = [1, 2].map((second) => ({
      ...{ co2: 500, voc: 2, sensor: 'Third', created_at: `2026-01-01T00:00:0${second}.000Z` },
    }));
    await postAll(server.url, readings);
  });
  afterAll(() => server.stop());

  test('commands change sensors while the server runs', async () => {
    const { databasePath: DATABASE_PATH, port, url } = server;
    const run = (...words: string[]) =>
      new Promise<string>((resolve) => {
        const settings = { ...env(), DATABASE_PATH, PORT: String(port) };
        const [script, ...options] = words;
        execFile(
          process.execPath,
          [`scripts/${script}.js`, ...options],
          { env: { ...process.env, ...settings } },
          (_, stdout, stderr) => resolve(stdout + stderr),
        );
      });
    const sensorOf = async (name: string) =>
      (await (await fetch(`${url}/api/sensors`)).json()).find((one: { name: string }) => one.name === name);

    expect(await run('sensors', 'set', 'Third', '--group', 'Home', '--hidden', 'true')).toBe(
      '"Third" was changed.\n',
    );
    expect(await sensorOf('Third')).toMatchObject({ group: 'Home', is_hidden: true });
    expect(await run('sensors', 'set', 'Third', '--place', 'garage')).toContain(
      'must be "indoors" or "outdoors"',
    );
    expect(await run('sensors')).toMatch(/^2026-01-01T.*Z {2}"Third" {2}Home, hidden$/m);
    expect(await run('sensors', 'rename', 'Third', 'Attic')).toContain('"Third" is "Attic" now.');
    expect(await run('rename', 'Attic', 'Third')).toContain('"Attic" is "Third" now.');

    const before = await readAll(url, '?sensor=Third');
    const [, id = ''] = /restore (\d+)$/m.exec(await run('sensors', 'delete', 'Third', '--yes')) ?? [];
    expect(await sensorOf('Third')).toBeUndefined();
    expect(await run('sensors', 'restore', id)).toContain(`${before.length} readings back.`);
    const pruned = await run('prune', '--sensor', 'Third', '--to', '2027-01-01', '--yes');
    const [, other = ''] = /restore (\d+)$/m.exec(pruned) ?? [];
    expect(await sensorOf('Third')).toBeUndefined();
    expect(await run('sensors', 'restore', other)).toContain(`${before.length} readings back.`);
    expect(await readAll(url, '?sensor=Third')).toEqual(before);
    expect(await run('sensors', 'restore', other)).toContain('There is no deletion');
  });
});
