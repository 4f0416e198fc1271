import { expect, test } from 'vitest';
import { expectOffice, officeReadings, postBatches } from '../support/server/office';
import { startServer } from '../support/server/server';
import { startLite } from '../support/supabase/lite-server';

test('a hosted project gives the same findings about a room with and without the secret key', async () => {
  const lite = await startLite();
  const env = { SUPABASE_URL: lite.url, SUPABASE_PUBLISHABLE_KEY: lite.publicKey };
  const server = await startServer({ env });
  await postBatches(server.url, officeReadings('Office'));
  await expectOffice(server.url, 'Office');
  await server.stop();
  const withSecret = await startServer({ env: { ...env, SUPABASE_SECRET_KEY: lite.secretKey } });
  await expectOffice(withSecret.url, 'Office');
  expect(await (await fetch(`${withSecret.url}/healthz`)).json()).toMatchObject({ store: 'supabase' });
  await withSecret.stop();
  await lite.stop();
}, 300_000);
