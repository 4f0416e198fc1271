import type { Reading } from '../../../app/readings/reading';
import { post } from '../server/api';
import { type RunningServer, startServer } from '../server/server';

/** The newest reading of a sensor, and its age. */
interface Heard {
  sensor?: string;
  co2: number | null;
  voc: number | null;
  ageMs?: number;
}

/** Starts a server that has received readings of these sensors. */
export async function startServerWithSensors(
  sensors: readonly Heard[],
  env?: Record<string, string>,
): Promise<RunningServer> {
  const server = await startServer({ env });
  await hearSensors(server, sensors);
  return server;
}

/**
 * Posts three readings of each sensor with the same values, five minutes apart, so the newest stays current for 15
 * minutes, longer than the tests take.
 */
export async function hearSensors(server: RunningServer, sensors: readonly Heard[]): Promise<void> {
  const now = Date.now();
  const readings = sensors.flatMap(({ ageMs = 2000, ...values }) =>
    [2, 1, 0].map((before) => ({
      ...values,
      created_at: new Date(now - ageMs - before * 300_000).toISOString(),
    })),
  );
  const answer = await post(server.url, readings);
  if (answer.status !== 201) throw new Error(await answer.text());
}

/** A reading of a sensor that a test adds. */
export type SensorReading = Pick<Reading, 'created_at' | 'co2' | 'voc'>;

let added = 0;

/**
 * Adds a sensor with these readings to a server, and returns its name. Tests with their own sensors can share a server,
 * because starting a server takes longer than the tests.
 */
export async function addSensor(server: RunningServer, readings: readonly SensorReading[]): Promise<string> {
  added += 1;
  const sensor = `Room-${added}`;
  const answer = await post(
    server.url,
    readings.map((reading) => ({ sensor, ...reading })),
  );
  if (answer.status !== 201) throw new Error(await answer.text());
  return sensor;
}

/** Returns readings with the values of `seedDatabase`, one every `intervalMs`, the newest one `endMs` old. */
export function evenReadings(
  count: number,
  { intervalMs = 15_000, endMs = 1000 }: { intervalMs?: number; endMs?: number } = {},
): SensorReading[] {
  const newest = Date.now() - endMs;
  return Array.from({ length: count }, (_, i) => ({
    co2: 600 + (i % 50),
    voc: 200 + (i % 20),
    created_at: new Date(newest - (count - 1 - i) * intervalMs).toISOString(),
  }));
}
