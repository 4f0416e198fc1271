import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import type { Figure, Measurement } from '../figure';
import { seedStoreWithHistory, startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const READINGS = 1_000_000;
const REQUEST = 'GET /api/data?format=csv HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n';

/** Measures a CSV export of all readings, against a script that reads the rows and writes the same CSV to /dev/null. */
export const exportCsv: Measurement = {
  name: 'export',
  async measure() {
    const databasePath = await seedStoreWithHistory(READINGS);
    const server = await startProduct(databasePath);
    const perSecond = await interleave(
      async () => READINGS / (await secondsToTake(server.port)),
      async () => READINGS / secondsToWrite(databasePath),
    );
    await server.stop();
    const figure: Figure = {
      name: `readings a second in a CSV export of ${READINGS}`,
      unit: '/s',
      ...medians(perSecond, (rate) => rate),
      target: { atLeast: 0.6 },
    };
    return [figure];
  },
};

/** Returns the seconds until the whole export has arrived. */
async function secondsToTake(port: number): Promise<number> {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  let bytes = 0;
  socket.on('data', ({ length }) => {
    bytes += length;
  });
  socket.write(REQUEST);
  await new Promise((resolve, reject) => socket.on('close', resolve).on('error', reject));
  if (bytes < READINGS * 30) throw new Error(`the export ended after ${bytes} bytes`);
  return (performance.now() - startedAt) / 1000;
}

function secondsToWrite(databasePath: string): number {
  const env = { ...process.env, DATABASE_PATH: databasePath };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/baselines/export-csv.js'], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout) / 1000;
}
