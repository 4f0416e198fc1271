import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followRadon, projectWithRadon } from '../support/server/project-with-radon';
import { startServer } from '../support/server/server';
import { startLite } from '../support/supabase/lite-server';

test('one row in the table of metrics and a one-statement migration add a metric, from post to page', async () => {
  const { folder, script } = await projectWithRadon();
  const migrations = join(folder, 'supabase/migrations');
  writeFileSync(join(migrations, '20991231000000_radon.sql'), "select public.add_metrics('radon');\n");
  const lite = await startLite(migrations);
  const server = await startServer({
    script,
    env: { SUPABASE_URL: lite.url, SUPABASE_PUBLISHABLE_KEY: lite.publicKey },
  });
  await followRadon(server.url);
  const page = await (await fetch(server.url)).text();
  expect(page).toMatch(/Radon[\s\S]*Bq\/m³/);
  await server.stop();
  await lite.stop();
}, 600_000);
