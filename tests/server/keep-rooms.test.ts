import Database from 'libsql';
import { expect, test } from 'vitest';
import { postBody } from '../support/ingest/batches';
import { startServer } from '../support/server/server';
import { until } from '../support/until';

const DAY_MS = 86_400_000;
const DAYS = 75;

/** Returns the days with stored findings for the sensor `Den`, oldest first. */
function keptDays(path: string): string[] {
  const database = new Database(path);
  const rows = database
    .prepare(
      "select day from room_days where sensor = (select id from sensors where name = 'Den') order by day",
    )
    .all() as { day: number }[];
  database.close();
  return rows.map(({ day }) => new Date(day * 1000).toISOString());
}

test('after a start, findings of all days are computed in the background', async () => {
  const first = Math.floor(Date.now() / DAY_MS - DAYS) * DAY_MS;
  const server = await startServer();
  const send = async (co2: number, from: number, everyMs: number, to: number) => {
    const readings = Array.from({ length: Math.ceil((to - from) / everyMs) }, (_, i) => ({
      sensor: 'Den',
      co2: co2 + (i % 7),
      voc: null,
      created_at: new Date(from + i * everyMs).toISOString(),
    }));
    const answer = await postBody(server.url, 'application/json', JSON.stringify(readings));
    expect(await answer.json()).toMatchObject({ stored: readings.length });
  };
  await send(600, first, 3_600_000, Date.now());
  await server.stop();

  const second = await server.restart();
  const days = Array.from({ length: DAYS }, (_, i) => new Date(first + i * DAY_MS).toISOString());
  await until(() => keptDays(second.databasePath).length >= DAYS);
  expect(keptDays(second.databasePath)).toEqual(days);
  expect(second.output()).not.toContain('findings about rooms');
  await second.stop();
});
