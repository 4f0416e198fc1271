import Database from 'libsql';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ReadingInput } from '../../app/readings/reading';
import { postBody, readingsOf } from '../support/ingest/batches';
import { readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

let server: RunningServer;
let double: SupabaseDouble;

beforeAll(async () => {
  double = await startSupabaseDouble();
});

afterEach(() => server.stop());
afterAll(() => double.stop());

const send = (readings: readonly unknown[], address = '203.0.113.1') =>
  postBody(server.url, 'application/json', JSON.stringify(readings), { 'X-Forwarded-For': address });

/** Sends readings. Locks the database once some are stored, until the server answers. */
async function sendUntilLocked(readings: readonly ReadingInput[]) {
  const other = new Database(server.databasePath);
  const count = other.prepare('select count(*) from data').pluck();
  const before = Number(count.all()[0]);
  let isAnswered = false;
  const answering = send(readings).finally(() => {
    isAnswered = true;
  });
  // The batch takes less than a second, so this loop must not pause.
  for (let isLocked = false; !isLocked && !isAnswered; ) {
    await new Promise((resolve) => setImmediate(resolve));
    if (count.all()[0] === before) continue;
    try {
      other.exec('pragma busy_timeout = 5000; begin immediate');
      isLocked = true;
    } catch (error) {
      // The server is writing.
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    }
  }
  const stored = Number(count.all()[0]) - before;
  const answer = await answering;
  if (other.inTransaction) other.exec('rollback');
  other.close();
  return { answer, stored };
}

test('reports how much of an interrupted batch is stored, and stores the rest when it is repeated', async () => {
  server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
  let batches = 0;
  // On a busy machine, a batch may be stored before this process locks the database.
  const { readings, sensor, answer, stored } = await until(async () => {
    const sensor = `Cellar ${batches++}`;
    const readings = readingsOf(sensor, 9000);
    const sent = await sendUntilLocked(readings);
    return sent.stored < 9000 && { ...sent, readings, sensor };
  });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  const { mayBeStored, detail, ...report } = await answer.json();
  expect(report).toMatchObject({ stored, duplicates: 0, refused: 0, errors: [] });
  expect(mayBeStored).toBeUndefined();
  expect(detail).toContain(`locked`);
  expect(detail).toContain(`${stored} readings of this post are stored. Send all of it again`);
  expect(await (await send(readings)).json()).toMatchObject({ stored: 9000 - stored, duplicates: stored });
  expect(await readAll(server.url, `?sensor=${encodeURIComponent(sensor)}`)).toHaveLength(9000);
});

test.each([
  ['not stored does not count against the rate limit', 540, 400],
  ['perhaps stored counts against the rate limit', 504, 429],
])('a second half that is %s, and is stored when the batch is repeated', async (_, status, roomFor600) => {
  await double.reset();
  const env = { ...double.env, POSTS_PER_MINUTE: '2000', TRUST_PROXY: '1' };
  server = await startServer({ env: { ...env, SUPABASE_SECRET_KEY: double.secretKey } });
  let inserts = 0;
  double.rest.fault = (_, path) =>
    path.endsWith('/insert_readings') && ++inserts === 2 ? { kind: 'answer', status, body: '' } : null;
  const readings = readingsOf('Attic', 1000);
  const answer = await send(readings);
  expect(answer.status).toBe(503);
  const { mayBeStored, ...report } = await answer.json();
  expect(report).toMatchObject({ stored: 500, duplicates: 0, refused: 0, errors: [] });
  expect(mayBeStored).toBeUndefined();
  // Half of the remaining room, 1500 or 1000, is the share of the first address.
  const invalid = Array(600).fill({});
  expect((await send(invalid, '203.0.113.2')).status).toBe(roomFor600);
  expect(await (await send(readings)).json()).toMatchObject({ stored: 500, duplicates: 500 });
  expect(await double.rows()).toHaveLength(1000);
});

test('if the response of the store is lost, reports that readings without times may be stored', async () => {
  await double.reset();
  server = await startServer({ env: { ...double.env, SUPABASE_SECRET_KEY: double.secretKey } });
  let inserts = 0;
  double.rest.fault = (_, path) =>
    path.endsWith('/insert_readings') && ++inserts === 2 ? { kind: 'cut', stored: true } : null;
  const [, ...timed] = readingsOf('Loft', 501);
  const answer = await send([...timed, { co2: 1, voc: 1 }]);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    stored: 500,
    mayBeStored: true,
    detail: expect.stringContaining('the others would be stored twice'),
  });
});
