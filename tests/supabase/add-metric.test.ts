import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followSo2, projectWithSo2 } from '../support/server/project-with-so2';
import { startServer } from '../support/server/server';
import { startLite } from '../support/supabase/lite-server';

test('one row in the table of metrics and a one-statement migration add a metric, from post to page', async () => {
  const { folder, script } = await projectWithSo2();
  const migrations = join(folder, 'supabase/migrations');
  writeFileSync(join(migrations, '20991231000000_so2.sql'), "select public.add_metrics('so2');\n");
  const lite = await startLite(migrations);
  const server = await startServer({
    script,
    env: { SUPABASE_URL: lite.url, SUPABASE_PUBLISHABLE_KEY: lite.publicKey },
  });
  await followSo2(server.url);
  const page = await (await fetch(server.url)).text();
  expect(page).toMatch(/SO2[\s\S]*PPB/);
  await server.stop();
  await lite.stop();
}, 600_000);
