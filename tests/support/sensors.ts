import { post } from './api';
import { type RunningServer, startServer } from './server';

/** The newest reading of a sensor, and how old it is. */
interface Heard {
  sensor?: string;
  co2: number | null;
  voc: number | null;
  ageMs?: number;
}

/** Starts a server that has heard these sensors: three readings of each with the same values, 15 s apart. */
export async function startServerWithSensors(sensors: readonly Heard[]): Promise<RunningServer> {
  const server = await startServer();
  const now = Date.now();
  const readings = sensors.flatMap(({ ageMs = 2000, ...values }) =>
    [2, 1, 0].map((before) => ({
      ...values,
      created_at: new Date(now - ageMs - before * 15_000).toISOString(),
    })),
  );
  const answer = await post(server.url, readings);
  if (answer.status !== 201) throw new Error(await answer.text());
  return server;
}
